// One chunk of a random walk over the lab, or over the whole page: gives what went wrong, or an empty text.
async ([seed, actions, puzzles, part]) => {
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
    if (!window.seen) {
        // What an action does: to the document, or by the browser outside of it.
        window.seen = {effects: 0, wrong: ''};
        const note = () => { seen.effects += 1; };
        new MutationObserver(note).observe(document, {
            subtree: true, childList: true, characterData: true, attributes: true});
        // The button that leaves out the menu moves the focus, and nothing else.
        addEventListener('focusin', note);
        HTMLAnchorElement.prototype.click = note;
        window.print = note;
        Object.defineProperty(navigator, 'clipboard', {value: {writeText: async () => note()}});
        addEventListener('error', ({message}) => { seen.wrong ||= message; });
        addEventListener('unhandledrejection', ({reason}) => { seen.wrong ||= String(reason); });
    }
    // The way back leads to where the walk began, and not out of the page.
    for (let k = 0; k < 5; k += 1) history.pushState(null, '', location.hash);
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
    // What a keyboard reaches: what is in the sheet on top, if there is one.
    const sheet = () => [...document.querySelectorAll('dialog[open]')].pop();
    const reached = (at) => [...(sheet() ?? document).querySelectorAll(at)].filter((one) => one.checkVisibility());
    const press = (one, key) => {
        one?.focus();
        one?.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    };
    const set = (one, value) => {
        one.value = value;
        one.dispatchEvent(new Event('change', {bubbles: true}));
    };
    const KEYS = ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'Enter', 'Enter', ' ',
        'r', 'f', 'z', 'y', 'h', 'Escape', 'Delete'];
    const bundled = [...document.querySelectorAll('#puzzle option')].map((one) => one.value);
    const isQuick = (one) => {
        const key = one.closest('.own-card')?.dataset.key;
        return !key || puzzles.includes(key) || !bundled.includes(key);
    };
    // Buttons whose action may be done already: the view that is open, what is chosen or lit, what halts the lab.
    const IDLE = '[aria-disabled=true], [aria-pressed=true], [aria-current], .lab button, .equation button, .editor [data-key]';
    /** Use a control as a keyboard does; a button that does nothing is a fault. */
    const use = async (one) => {
        if (!one) return '';
        one.focus();
        if (one.matches('#puzzle')) set(one, any(puzzles));
        else if (one.matches('select')) set(one, any([...one.options]).value);
        else if (one.matches('[type=checkbox]')) one.click();
        else if (one.matches('[type=number]')) set(one, String(1 + random(9)));
        else if (one.matches('[type=date]')) set(one, `2024-0${1 + random(9)}-1${random(10)}`);
        else if (one.matches('input')) one.readOnly || set(one, any(['7', 'x y', 'Jan', '']));
        else if (!one.matches('button, summary')) press(one, any(KEYS));
        else {
            await null;
            const before = seen.effects;
            const isIdle = one.matches(IDLE);
            const name = one.ariaLabel || one.textContent;
            one.click();
            for (let k = 0; k < 600 && seen.effects === before && !isIdle; k += 1) {
                await new Promise((go) => setTimeout(go, k && 50));
            }
            if (seen.effects === before && !isIdle) return `${name} does nothing`;
        }
        return '';
    };
    const point = (type, one, x, y) => one?.dispatchEvent(new PointerEvent(type, {
        bubbles: true, cancelable: true, pointerId: 1, isPrimary: true, pointerType: any(['mouse', 'touch']),
        clientX: x, clientY: y,
    }));
    const somewhere = (one) => {
        const {left, top, width, height} = one.getBoundingClientRect();
        return [left + width * (random(98) + 1) / 100, top + height * (random(98) + 1) / 100];
    };
    const LESSONS = ['#lesson=clique', '#lesson=rounding-fails', '#lesson=depth-or-best&tree=lesson;root;0.poll', '#lesson=nosuch',
        `#lesson=${encodeURIComponent('{"title": 1}')}`];
    const OWN = "name: mine\ngrid: ['1 2 3', '4 5 6']\ngroups: {one: ['1', '2']}\npieces: [I3, I2]\n";
    const CONTROLS = 'button, summary, select:not(#language), input:not([type=file]), [tabindex="0"]';
    const free = (action) => () => (sheet() ? '' : action());
    const kinds = {
        control: () => use(any(reached(CONTROLS).filter(isQuick))),
        play: free(() => use(any(visible('.play .tools button')))),
        item: free(() => use(any(visible('.tray .item')))),
        key: free(() => press(visible('.stage svg[tabindex]')[0], any(KEYS))),
        drag: free(async () => {
            const board = visible('.play .stage svg')[0];
            const from = board && any([...visible('.tray .item'), board]);
            if (!from) return '';
            point('pointerdown', from, ...somewhere(from));
            for (let k = 0; k < 3; k += 1) point('pointermove', document.body, ...somewhere(board));
            // Another date, or the way back, while a piece is in hand.
            if (!random(6)) await kinds[any(['date', 'back', 'wait'])]();
            await new Promise((go) => setTimeout(go));
            point('pointerup', document.body, ...somewhere(board));
            return '';
        }),
        hover: free(() => {
            const one = any(visible('canvas.matrix, .stage svg'));
            if (one) point('pointermove', one, ...somewhere(one));
        }),
        assist: free(() => change('#assist')),
        drop: free(() => {
            const data = new DataTransfer();
            data.items.add(new File([any([OWN, 'name: [', ''])], 'mine.yaml'));
            document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
        }),
        draw: () => {
            const [one] = [any(reached('.draft g'))];
            if (one) click(one);
        },
        close: () => use(reached('.sheet button').at(-1)),
        playing: free(() => use(document.querySelector('.tabs [data-key=play]'))),
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
        lesson: () => { location.hash = any(LESSONS); },
        write: () => {
            const one = any(visible('.lab input:not([readonly]):not([type=file]):not([type=checkbox])'));
            if (!one) return;
            one.value = any(['a + b <= 1', 'x=1 y=0', '1/2', 'first=1/7 second=2/7', '<b>', '']);
            one.dispatchEvent(new Event('input', {bubbles: true}));
        },
        option: () => any(visible('.lab select')) && change(`#${any(visible('.lab select')).id}`),
        stop: () => click(visible('.lab .tools button').find((one) => one.textContent === 'Stop')),
        view: free(() => click(any(visible('.tabs [data-key]:not([data-key="?"])')))),
        home: () => click(document.querySelector('.tabs [data-key=lab]')),
        date: free(() => click(any(visible('.dates button')))),
        puzzle: free(() => change('#puzzle', any(puzzles))),
        crash: () => {
            const one = any(threads);
            one?.terminate();
            one?.dispatchEvent(new ErrorEvent('error', {message: 'crashed on purpose', cancelable: true}));
        },
        back: () => history.back(),
        wait: () => {},
    };
    const often = part === 'lab' ? [
        ...Array(6).fill('tools'), ...Array(4).fill('candidate'), ...Array(3).fill('node'), 'lab', 'lab', 'cell',
        'option', 'lesson', 'write', 'stop', 'stop', 'view', 'home', 'home', 'date', 'puzzle', 'crash', 'back', 'wait',
    ] : [
        ...Array(8).fill('control'), ...Array(8).fill('key'), ...Array(3).fill('play'), ...Array(3).fill('item'),
        ...Array(3).fill('drag'), 'playing', 'playing', 'draw', 'draw', 'close', 'close', 'hover', 'hover', 'assist',
        'drop', 'view', 'date', 'date', 'puzzle', 'back', 'wait',
    ];
    const done = [];
    for (let k = 0; k < actions; k += 1) {
        const kind = any(often);
        done.push(kind);
        const fault = await kinds[kind]();
        const pause = [0, 0, 0, 0, 5, 5, 40, 40, 150][random(9)];
        if (pause || k % 10 === 0) await new Promise((go) => setTimeout(go, pause));
        const after = ` after ${done.slice(-12)}`;
        if (part === 'page' && typeof fault === 'string' && fault) return fault + after;
        const locked = [...document.querySelectorAll(part === 'lab' ? '.lab button' : 'button')].filter((one) =>
            one.disabled || (part === 'lab' && one.ariaDisabled === 'true' && !/^(Undo|Redo)$/.test(one.textContent)));
        if (locked.length) return `${locked[0].textContent} is disabled${after}`;
        if (seen.wrong) return seen.wrong + after;
        if (!document.querySelector('main > *')) return `nothing is shown${after}`;
        // Once it is somewhere, no action may lose it.
        const isLost = document.activeElement === document.body;
        if (part === 'page' && window.focused && isLost) return `the focus is lost${after}`;
        window.focused ||= !isLost;
    }
    // The way back may still be under way.
    await new Promise((go) => setTimeout(go, 200));
    return '';
}
