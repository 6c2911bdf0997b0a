// One chunk of a random walk over the lab: gives what went wrong, or an empty text.
async ([seed, actions, puzzles]) => {
    // A linear congruential generator: the same walk in every engine, up to what takes how long.
    let state = seed;
    const random = (n) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 4294967296) * n);
    };
    if (!window.threads) {
        window.threads = [];
        window.Worker = class extends Worker {
            constructor(...all) {
                super(...all);
                threads.push(this);
            }
        };
    }
    // The way back leads to where the walk began, and not out of the page.
    for (let k = 0; k < 20; k += 1) history.pushState(null, '', location.hash);
    const visible = (at) => [...document.querySelectorAll(at)].filter((one) => one.checkVisibility());
    const click = (one) => one?.dispatchEvent(new MouseEvent('click', {bubbles: true}));
    const any = (all) => all[random(all.length)];
    const change = (at, value) => {
        const one = document.querySelector(at);
        if (!one) return;
        if (one.type === 'checkbox') one.checked = !one.checked;
        else one.value = value ?? any([...one.options]).value;
        one.dispatchEvent(new Event('change', {bubbles: true}));
    };
    const kinds = {
        lab: () => click(any(visible('.lab button'))),
        tools: () => click(any(visible('.lab .tools button'))),
        node: () => click(any(visible('.tree .node'))),
        candidate: () => click(any(visible('.candidate button'))),
        cell: () => {
            const svg = document.querySelector('.lab .board-drawing');
            const {left, top, width, height} = svg?.getBoundingClientRect() ?? {};
            svg?.dispatchEvent(new MouseEvent('click', {
                bubbles: true, clientX: left + width * random(100) / 100, clientY: top + height * random(100) / 100,
            }));
        },
        option: () => any(visible('.lab select')) && change(`#${any(visible('.lab select')).id}`),
        stop: () => click(visible('.lab .tools button').find((one) => one.textContent === 'Stop')),
        view: () => click(any(visible('.tabs [data-key]:not([data-key="?"])'))),
        home: () => click(document.querySelector('.tabs [data-key=lab]')),
        date: () => click(any(visible('.dates button'))),
        puzzle: () => change('#puzzle', any(puzzles)),
        crash: () => {
            const one = any(threads);
            one?.terminate();
            one?.dispatchEvent(new ErrorEvent('error', {message: 'crashed on purpose', cancelable: true}));
        },
        back: () => history.back(),
        wait: () => {},
    };
    const often = [
        ...Array(6).fill('tools'), ...Array(4).fill('candidate'), ...Array(3).fill('node'), 'lab', 'lab', 'cell',
        'option', 'stop', 'stop', 'view', 'home', 'home', 'date', 'puzzle', 'crash', 'back', 'wait',
    ];
    const done = [];
    for (let k = 0; k < actions; k += 1) {
        const kind = any(often);
        done.push(kind);
        kinds[kind]();
        const pause = [0, 0, 0, 0, 5, 5, 40, 40, 150][random(9)];
        if (pause || k % 10 === 0) await new Promise((go) => setTimeout(go, pause));
        const locked = [...document.querySelectorAll('.lab button')]
            .filter((one) => one.disabled || (one.ariaDisabled === 'true' && !/^(Undo|Redo)$/.test(one.textContent)));
        if (locked.length) return `${locked[0].textContent} is disabled after ${done.slice(-12)}`;
        const wrong = document.querySelector('.messages').textContent.match(/Something went wrong[^;]*/);
        if (wrong) return `${wrong[0]} after ${done.slice(-12)}`;
        if (!document.querySelector('main > *')) return `nothing is shown after ${done.slice(-12)}`;
    }
    // The way back may still be under way.
    await new Promise((go) => setTimeout(go, 200));
    return '';
}
