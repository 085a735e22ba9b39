#!/usr/bin/env node
// Runs on Node 12 too, to say which version is needed: everything else is imported after the check.
const [major, minor] = process.versions.node.split('.').map(Number)

async function start() {
  const { existsSync } = await import('node:fs')
  const { enableCompileCache } = await import('node:module')
  // Newer versions of Node keep what they have compiled.
  if (enableCompileCache !== undefined) enableCompileCache()
  const main = new URL('../dist/node/main.js', import.meta.url)
  if (existsSync(main)) {
    const { main: run, processIo } = await import(main.href)
    process.exitCode = await run(process.argv.slice(2), processIo())
  } else {
    // Only a checkout of the source has no build.
    process.stderr.write('stickler: not built yet; run `npm run build` first\n')
    process.exitCode = 2
  }
}

if (major > 20 || (major === 20 && minor >= 19)) void start()
else {
  process.stderr.write(`stickler: needs Node 20.19 or newer; this is Node ${process.versions.node} (${process.execPath})\n`)
  process.exitCode = 69
}
