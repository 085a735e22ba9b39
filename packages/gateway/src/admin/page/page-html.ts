/**
 * The page without any data; style and script are separate files, because the page allows nothing
 * inline.
 */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Stickler</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<script type="module" src="page/main.js"></script>
</head>
<body>
<header>
<h1>Stickler</h1>
<p id="status" role="status" aria-live="polite">Connecting…</p>
<button id="forget-key" type="button" hidden>Forget the key</button>
</header>
<main>
<noscript><p>This page needs JavaScript. The same data is available as JSON at <code>/api/v1/runs</code> and <code>/api/v1/stats</code>.</p></noscript>
<form id="key-form" hidden>
<h2>Key</h2>
<p>This gateway requires an API key. It is stored until you close this tab.</p>
<label for="key">Key of the gateway</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" required>
<button type="submit">Show runs</button>
</form>
<div id="content" hidden>
<section aria-labelledby="totals-title">
<h2 id="totals-title">The last 24 hours</h2>
<ul id="totals"></ul>
<svg id="strip" role="img" aria-label="Runs over time" preserveAspectRatio="none"></svg>
<p id="usage" class="quiet"></p>
</section>
<section aria-labelledby="codes-title">
<h2 id="codes-title">What fails</h2>
<p id="no-codes" class="quiet" hidden>Nothing has failed.</p>
<ol id="codes"></ol>
</section>
<section aria-labelledby="runs-title">
<h2 id="runs-title">Runs</h2>
<p>
<label for="status-filter">Status</label>
<select id="status-filter">
<option value="">all</option>
<option>valid</option>
<option>repaired</option>
<option>unresolved</option>
<option>unchecked</option>
<option>failed</option>
<option>unenforced</option>
</select>
</p>
<div class="scroll" role="region" aria-labelledby="runs-title" tabindex="0">
<table aria-labelledby="runs-title">
<thead>
<tr>
<th scope="col">Time</th>
<th scope="col">Status</th>
<th scope="col" class="wide">Contract</th>
<th scope="col">Model</th>
<th scope="col" class="number wide">Attempts</th>
<th scope="col" class="wide">Issues</th>
<th scope="col" class="number">Took</th>
<th scope="col" class="number wide">Tokens</th>
<th scope="col" class="wide">Session</th>
</tr>
</thead>
<tbody id="runs"></tbody>
</table>
</div>
<p id="no-runs" class="quiet" hidden>No runs yet. Send a request to <code>/v1/chat/completions</code>, and it shows up here.</p>
<button id="older" type="button" hidden>Show older runs</button>
</section>
<section id="parser-part" aria-labelledby="parser-title" hidden>
<h2 id="parser-title">Parser of code</h2>
<ul id="parser"></ul>
<ol id="parser-changes" class="quiet"></ol>
</section>
<section id="contracts-part" aria-labelledby="contracts-title">
<h2 id="contracts-title">Contracts</h2>
<p id="no-contracts" class="quiet" hidden>There are no contracts.</p>
<div id="contracts"></div>
</section>
</div>
</main>
<dialog id="run-dialog" aria-labelledby="run-title">
<header>
<h2 id="run-title">Run</h2>
<button id="close-run" type="button">Close</button>
</header>
<div id="run"></div>
</dialog>
</body>
</html>
`
