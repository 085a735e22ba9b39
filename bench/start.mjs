// What the command and an import take after Node itself has started: `npm run bench start`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quartiles, ratio } from './harness.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The start of the command. */
export const stickler = join(root, 'packages/cli/bin/stickler.js')
const rounds = 21

/** Node alone, as every candidate is compared with it. */
export const alone = { argv: ['-e', '0'] }

/** The start of the command and of the library. */
export function benchStart() {
  const folder = mkdtempSync(join(tmpdir(), 'stickler-bench-'))
  try {
    const project = join(folder, 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'answer.md'), 'Use spaces.\n')
    writeFileSync(join(project, 'stickler.yaml'), 'contracts: { brief: { checks: [{ max_words: { limit: 5 } }] } }\n')
    const event = (name) =>
      JSON.stringify({ hook_event_name: name, session_id: 's', tool_input: {}, last_assistant_message: 'Use spaces.' })
    const hook = [stickler, 'hook', '--if-configured']
    const candidates = [
      { name: '`stickler --version`', argv: [stickler, '--version'], atMost: 20 },
      { name: '`stickler --help`', argv: [stickler, '--help'] },
      { name: "`import '@stickler/core'`", ...importing('@stickler/core'), atMost: 60 },
      { name: '`stickler check` of one file', argv: [stickler, 'check', 'answer.md', '--check', 'max_words={"limit":5}'], atMost: 120 },
      { name: '`stickler check` with a configuration', argv: [stickler, 'check', 'answer.md'], atMost: 120 },
      { name: 'a hook without a configuration', argv: hook, cwd: folder, input: event('PreToolUse'), atMost: 40 },
      { name: 'a hook without a contract', argv: hook, input: event('PreToolUse'), atMost: 40 },
      { name: 'a hook with a contract', argv: hook, input: event('Stop'), atMost: 110 },
    ]
    const [node, ...runs] = startsOf([alone, ...candidates], project)
    return [
      { what: 'Node alone, ms', ...quartiles(node.map(({ ms }) => ms)) },
      ...candidates.map(({ name }, at) => ({ what: `${name}: ms after the start of Node`, ...after(runs[at], node) })),
      ...candidates.map(({ name }, at) => ({ what: `${name} ÷ Node alone, time of the processor`, ...ratio(cpu(runs[at]), cpu(node)) })),
      ...candidates.map(({ name, atMost }, at) => ({
        what: `${name}: ms of the processor above Node alone`,
        atMost,
        ...above(runs[at], node),
      })),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A program that only imports a package, from a folder where it is installed. */
export function importing(name, cwd = join(root, 'packages/cli')) {
  return { argv: ['--input-type=module', '-e', `import '${name}'`], cwd }
}

/** What each candidate takes from its start to its end, round by round: by the clock and by the processor, in milliseconds. */
export function startsOf(candidates, folder) {
  const used = join(folder, 'used.cjs')
  const told = join(folder, 'used.json')
  writeFileSync(
    used,
    `process.on('exit', () => { const { user, system } = process.cpuUsage()
require('node:fs').writeFileSync(${JSON.stringify(told)}, String((user + system) / 1000)) })`,
  )
  const runs = candidates.map(() => [])
  for (let round = 0; round < rounds; round++) {
    // In turns, so that a busy moment hits all of them.
    for (const [at, { argv, cwd = folder, input = '' }] of candidates.entries()) {
      const start = performance.now()
      const { status, stderr } = spawnSync(process.execPath, ['--require', used, ...argv], { cwd, input, encoding: 'utf8' })
      const ms = performance.now() - start
      if (status !== 0) throw new Error(stderr)
      runs[at].push({ ms, cpuMs: Number(readFileSync(told, 'utf8')) })
    }
  }
  return runs
}

/** Milliseconds after the start of Node, round by round. */
export function after(runs, node) {
  return quartiles(runs.map(({ ms }, round) => ms - node[round].ms))
}

/** Milliseconds of the processor above Node alone, round by round. */
function above(runs, node) {
  return quartiles(runs.map(({ cpuMs }, round) => cpuMs - node[round].cpuMs))
}

function cpu(runs) {
  return runs.map(({ cpuMs }) => cpuMs)
}
