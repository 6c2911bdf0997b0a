// Browsers run no worker from a file. There, the search runs in a hidden frame instead, as in
// the package iframe-worker. Copyright (c) 2020-2022 Martin Donath, MIT licence; see NOTICES:
// https://github.com/squidfunk/iframe-worker
if (location.protocol === "file:") {
  class FrameWorker extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      this.loaded = new Promise((resolve) => {
        const start = () => {
          document.body.append(frame);
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          inside.importScripts = (...urls) => urls.reduce(
            (before, one) => before.then(() => FrameWorker.load(inside, one)), Promise.resolve());
          FrameWorker.load(inside, url).then(() => resolve(inside));
        };
        if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
        else start();
      });
    }
    postMessage(data) {
      this.loaded.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
    static load(inside, url) {
      return new Promise((resolve) => {
        const script = inside.document.createElement("script");
        script.src = url;
        script.onload = resolve;
        inside.document.body.append(script);
      });
    }
  }
  window.Worker = window.IFrameWorker = FrameWorker;
}
