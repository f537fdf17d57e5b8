package static

import (
	"net/http"
	"strings"
)

// The files of the installable app, which have addresses of their own. The worker shows a page when there is no
// network; it keeps no data (rule R399).
const (
	manifestPath = "/manifest.webmanifest"
	workerPath   = "/service-worker.js"
	offlinePath  = "/offline"
)

// AppPaths are the addresses that [ServeApp] answers.
func AppPaths() []string { return []string{manifestPath, workerPath, offlinePath} }

const manifest = `{
  "name": "Stockhand", "short_name": "Stockhand", "id": "/", "start_url": "/", "scope": "/", "display": "standalone",
  "background_color": "#fbfbfc", "theme_color": "#3b4cca",
  "icons": [
    {"src": "{icon.svg}", "sizes": "any", "type": "image/svg+xml"},
    {"src": "{icon-192.png}", "sizes": "192x192", "type": "image/png"},
    {"src": "{icon-512.png}", "sizes": "512x512", "type": "image/png"},
    {"src": "{icon-maskable.png}", "sizes": "512x512", "type": "image/png", "purpose": "maskable"}
  ]
}
`

const worker = `// Shows a page when there is no network. Nothing else is kept.
"use strict";
const kept = ["/offline", "{console.css}"];
self.addEventListener("install", (e) => e.waitUntil(
  caches.open(kept[1]).then((c) => c.addAll(kept)).then(() => self.skipWaiting())));
self.addEventListener("activate", (e) => e.waitUntil(
  caches.keys().then((all) => Promise.all(all.filter((k) => k !== kept[1]).map((k) => caches.delete(k))))
    .then(() => self.clients.claim())));
self.addEventListener("fetch", (e) => {
  const path = new URL(e.request.url).pathname;
  if (e.request.mode === "navigate") e.respondWith(fetch(e.request).catch(() => caches.match(kept[0])));
  else if (path === kept[1]) e.respondWith(fetch(e.request).catch(() => caches.match(kept[1])));
});
`

const offline = `<!DOCTYPE html>
<html lang="ru" data-theme="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stockhand</title>
<link rel="stylesheet" href="{console.css}">
</head>
<body>
<div class="alone">
<main>
<h1>Нет сети</h1>
<p>Stockhand работает с живыми данными и без сети их не показывает. Проверьте подключение и обновите страницу.</p>
<div lang="en" class="stack tight muted">
<h2>No network</h2>
<p>Stockhand works with live data and shows none without a network. Check your connection and reload the page.</p>
</div>
<a class="button primary" href="/">Обновить · Reload</a>
</main>
</div>
</body>
</html>
`

// ServeApp answers requests for the files of the installable app.
func ServeApp(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	content := ""
	switch r.URL.Path {
	case manifestPath:
		h.Set("Content-Type", "application/manifest+json")
		content = manifest
	case workerPath:
		h.Set("Content-Type", "text/javascript; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; connect-src 'self'") // it fetches what it keeps
		content = worker
	default:
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
		content = offline
	}
	for name, address := range byName {
		content = strings.ReplaceAll(content, "{"+name+"}", address)
	}
	_, _ = w.Write([]byte(content)) // the client may have disconnected
}
