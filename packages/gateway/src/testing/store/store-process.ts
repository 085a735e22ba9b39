import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The store as a file that a plain Node process can load. */
export interface StoreBundle {
  readonly url: string
  remove(): void
}

/** Bundles the sources of the store; dependencies stay outside, so it lies where Node finds them. */
export async function bundleStore(): Promise<StoreBundle> {
  const modules = at('../../../../../node_modules/')
  mkdirSync(modules, { recursive: true })
  const folder = mkdtempSync(join(modules, '.stickler-store-'))
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^@stickler\/core$/, replacement: at('../../../../core/src/index.ts') },
        { find: /^@stickler\/core\/([\w/]+)$/, replacement: `${at('../../../../core/src/')}$1.ts` },
      ],
    },
    ssr: { noExternal: [/^@stickler\//] },
    build: {
      ssr: at('../../records/store/open-store.ts'),
      outDir: folder,
      minify: false,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'store.mjs' } },
    },
  })
  return { url: pathToFileURL(join(folder, 'store.mjs')).href, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The options of a process that records. */
interface RecordingTask {
  readonly url: string
  readonly folder: string
  /** What its ids begin with. */
  readonly name: string
  /** How many runs it records; then it closes the store and ends. */
  readonly runs: number
  /** How long it rests after every few runs. */
  readonly pauseMs?: number
}

/** A process that records runs and tells every id that was acknowledged. */
interface RecordingProcess {
  readonly process: ChildProcess
  readonly acknowledged: string[]
  /** Waits until so many runs have been acknowledged. */
  reached(count: number): Promise<void>
  /** Waits for its end; gives its code or signal. */
  ended: Promise<number | string | null>
}

const script = `
const [, bundle, task] = process.argv
const { url, folder, name, runs, pauseMs } = JSON.parse(task)
const { writeSync } = await import('node:fs')
const { openStore } = await import(bundle)
const store = await openStore({ url, folder, keepText: true, now: Date.now, batchMs: 20 })
// A process that has threads does not wait for a full pipe by itself.
const tell = (line) => {
  for (;;) {
    try {
      return writeSync(1, line)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}
for (let index = 0; index < runs; ) {
  const batch = []
  for (; batch.length < 1 + (index % 7) && index < runs; index++) {
    const id = name + '-' + String(index).padStart(8, '0')
    const attempts = [{ number: 1, call: 'run', ms: 1, issues: [], text: 'x'.repeat(index % 900) }]
    const usage = { promptTokens: 1, completionTokens: 1 }
    const run = { id, requestId: id, choice: 0, at: Date.now(), ms: 1, api: 'chat', stream: false, model: 'm', upstream: 'u', upstreamModel: 'm',
      contract: 'c', key: '', status: 'valid', reason: 'valid', httpStatus: 200, attempts, issues: [], fixed: [], repairs: [], unchecked: [], usage }
    batch.push(store.recorder.run(run).then(() => tell(id + '\\n')))
  }
  await Promise.all(batch)
  if (pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
await store.close()
`

/** Starts a process that records runs. */
export function recordInProcess(bundle: StoreBundle, task: RecordingTask): RecordingProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, bundle.url, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => acknowledged.push(line))
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(([[code, signal]]) => (signal ?? code) as number | string)
  return {
    process: child,
    acknowledged,
    async reached(count) {
      while (acknowledged.length < count && child.exitCode === null && child.signalCode === null) {
        await Promise.race([once(lines, 'line'), ended])
      }
    },
    ended,
  }
}
