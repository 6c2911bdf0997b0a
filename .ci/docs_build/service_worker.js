/**
 * Keep the page to play on for visits without a network: after the first one all of it is here.
 * .ci/docs_build/installable.py fills in the names of the files, and a version that is another one
 * when any of them is. A new version waits until no page of the old one is open.
 */

const PREFIX = "calmip-play-";
const CACHE = PREFIX + "VERSION";
const FILES = ["FILES"];

/** Whatever the browser has of an older version is asked for again. */
const fresh = (file) => new Request(file, { cache: "reload" });

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map(fresh));
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
  await clients.claim();
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
