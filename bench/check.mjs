import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeAdr } from './adr.mjs'
import { installPeer, peer } from './check/peer.mjs'
import { quartiles, ratio } from './harness.mjs'

const stickler = fileURLToPath(new URL('../packages/cli/bin/stickler.js', import.meta.url))
const files = 1000
const rounds = 7

/** The command over a folder of files, beside a linter of Markdown over the same; whole processes, with their start. */
export async function benchCheck() {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-bench-'))
  try {
    const text = makeAdr(4 * 1024)
    for (let at = 0; at < files; at++) {
      const place = join(folder, 'many', `part-${at % 20}`)
      await mkdir(place, { recursive: true })
      await writeFile(join(place, `${at}.md`), text.replace(/STEP: \w+/, at % 10 === 0 ? 'STEP: dnoe' : 'STEP: done'))
    }
    await mkdir(join(folder, 'one'))
    await writeFile(join(folder, 'one/a.md'), text)
    const check = (what, ...more) => [
      stickler,
      'check',
      what,
      '--preset',
      'helix',
      '--check',
      'step_marker',
      '--check',
      'adr_structure',
      ...more,
    ]
    const candidates = {
      many: check('many', '--quiet'),
      sarif: check('many', '--format', 'sarif'),
      diff: check('many', '--dry-run'),
      one: check('one/a.md'),
    }
    const missing = await installPeer()
    if (missing === undefined) Object.assign(candidates, { peer: [peer, 'many/**/*.md'], peerOne: [peer, 'one/a.md'] })
    const runs = await measure(candidates, folder)
    const cpu = (name) => runs[name].map(({ cpuMs }) => cpuMs)
    const perFile = (name, base) => quartiles(runs[name].map(({ cpuMs }, at) => (cpuMs - runs[base][at].cpuMs) / (files - 1)))
    const rows = [
      { what: `ms of the processor for each of ${files} files of 4 KB, start taken off`, ...perFile('many', 'one') },
      { what: `ms for ${files} files, with the start`, ...quartiles(runs.many.map(({ wallMs }) => wallMs)) },
      { what: 'SARIF of all ÷ quiet text', atMost: 1.5, ...ratio(cpu('sarif'), cpu('many')) },
      { what: 'unified diff of all repairs ÷ quiet text', atMost: 1.5, ...ratio(cpu('diff'), cpu('many')) },
      {
        what: `memory for ${files} files ÷ for one`,
        atMost: 2,
        ...ratio(
          runs.many.map(({ rssMb }) => rssMb),
          runs.one.map(({ rssMb }) => rssMb),
        ),
      },
      { what: `MB of memory for ${files} files`, ...quartiles(runs.many.map(({ rssMb }) => rssMb)) },
    ]
    if (missing !== undefined) return [...rows, { what: 'markdownlint-cli2', note: `not installed: ${missing}` }]
    return [
      ...rows,
      { what: `markdownlint-cli2 ÷ Stickler, ${files} files`, atLeast: 1, ...ratio(cpu('peer'), cpu('many')) },
      { what: 'markdownlint-cli2 ÷ Stickler, one file', ...ratio(cpu('peerOne'), cpu('one')) },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** In turns, each round in another order. */
async function measure(candidates, folder) {
  const entries = Object.entries(candidates)
  const runs = Object.fromEntries(entries.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const [name, argv] = entries[(round + turn) % entries.length]
      runs[name].push(await runOnce(argv, folder))
    }
  }
  return runs
}

/** The process says itself what it has used, as its last act. */
const farewell = `import { writeFileSync } from 'node:fs'
process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
writeFileSync(process.env.BENCH_USED, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, rssMb: maxRSS / 1024 })) })`

async function runOnce(argv, cwd) {
  const used = join(cwd, 'used.json')
  const started = performance.now()
  await new Promise((resolve, reject) => {
    const options = { cwd, stdio: 'ignore', env: { ...process.env, BENCH_USED: used } }
    spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(farewell)}`, ...argv], options)
      .on('error', reject)
      .on('exit', resolve)
  })
  return { wallMs: performance.now() - started, ...JSON.parse(await readFile(used, 'utf8')) }
}
