#!/usr/bin/env node
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (existsSync(main)) {
  const { main: run, processIo } = await import(main.href)
  process.exitCode = await run(process.argv.slice(2), processIo())
} else {
  // Only a checkout of the source has no build.
  process.stderr.write('stickler: not built yet; run `npm run build` first\n')
  process.exitCode = 2
}
