import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** How many chunks each document has that a writer writes. */
export const chunksPerDocument = 6

/** A process that writes the same documents again and again, each time in another version. */
export interface Writer {
  readonly child: ChildProcess
  /** Settles when the process has written so many versions. */
  written(count: number): Promise<void>
  /** Settles with the code it exits with. */
  readonly exited: Promise<number | null>
}

const script = `
import { openEngine } from '@stickler/ask/retrieval'
const [url, name, versions, documents, size] = process.argv.slice(1)
const engine = await openEngine(url)
for (let version = 0; version < Number(versions); version++) {
  const made = Array.from({ length: Number(documents) }, (_, at) => ({
    path: 'd' + at + '.md',
    fingerprint: name + version,
    chunks: Array.from({ length: Number(size) }, (_, place) => ({
      urn: 'd' + at + '.md#L' + place,
      text: name + version,
      headings: [],
      terms: ['all', 'd' + at, name, 'v' + version],
      vector: new Float32Array([1 + at, version + 1, place]),
    })),
  }))
  await engine.replace(made, 'test')
  console.log(version)
}
await engine.close()
`

/** Starts a writer on an index. */
export function startWriter(url: string, name: string, versions: number, documents: number): Writer {
  const parameters = [url, name, versions, documents, chunksPerDocument].map(String)
  // From the folder of the package, its own name leads to the build.
  const cwd = fileURLToPath(new URL('../../', import.meta.url))
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, ...parameters], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  let count = 0
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', () => {
    count++
    for (const look of waiting) look()
  })
  return {
    child,
    exited,
    written: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (count < wanted) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}
