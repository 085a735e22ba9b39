// npm run demo: a scripted model misbehaves in four ways, and Stickler says what it did about each. No key, no network.
import { brokenCheck } from './demo/broken-check.mjs'
import { doomedStream } from './demo/doomed-stream.mjs'
import { hopelessAnswer } from './demo/hopeless-answer.mjs'
import { sloppyJson } from './demo/sloppy-json.mjs'
import { bold, cyan, dim, say } from './demo/terminal.mjs'

say(bold('Stickler: every answer meets its contract, or you are told exactly why not.'))
say(dim('The model of this demo plays a script: no key, no network.'))

const results = []
for (const scene of [sloppyJson, doomedStream, hopelessAnswer, brokenCheck]) results.push(await scene())

say(`\n${bold(`${'scene'.padEnd(18)}${'status'.padEnd(12)}${'attempts'.padEnd(10)}${'repairs'.padEnd(9)}what to see`)}`)
for (const { scene, outcome, note } of results) {
  const { status, attempts, repairs } = outcome
  say(`${scene.padEnd(18)}${status.padEnd(12)}${String(attempts).padEnd(10)}${String(repairs.length).padEnd(9)}${note}`)
}

say(`\n${bold('Try next')}`)
say(`  ${cyan("echo 'Write to ada@acme.com' | npx stickler check - --check sensitive")}`)
say(`  ${cyan('npx stickler explain SENSITIVE')}`)
say(`  ${cyan('npx stickler list')}`)
say(`  and read ${cyan('docs/guide/getting-started.md')}`)
