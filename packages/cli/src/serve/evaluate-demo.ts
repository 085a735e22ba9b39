import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Clock } from '@stickler/core'
import { pause } from '@stickler/core/internal'
import { demoEvaluation } from '@stickler/gateway/internal'
import { openCli } from '../cli.ts'
import { createFile } from '../files/write-file.ts'
import type { Io } from '../io.ts'

/** What the evaluation of the demo needs. */
interface DemoEvaluation {
  readonly url: string
  /** The folder of the store. */
  readonly folder: string
  readonly io: Io
  readonly clock: Clock
}

/** When enough of the demo's models have answered. */
const waitMs = 30_000

/** Evaluates a contract on what the demo's models have answered, and keeps the report where the dashboard finds it; never rejects. */
export async function evaluateDemo({ url, folder, io, clock }: DemoEvaluation): Promise<void> {
  const { contract, before } = demoEvaluation
  let work: string | undefined
  try {
    await pause(waitMs, io.signal, clock)
    const answers = await read(`${url}/api/v1/runs.jsonl?contract=${contract}`, io.signal)
    const { items } = JSON.parse(await read(`${url}/api/v1/contracts`, io.signal)) as {
      readonly items: readonly { readonly name: string; readonly yaml?: string }[]
    }
    const yaml = items.find(({ name }) => name === contract)?.yaml
    if (yaml === undefined || answers === '') return
    work = await mkdtemp(join(tmpdir(), 'stickler-evaluation-'))
    await createFile(join(work, 'runs.jsonl'), answers)
    await createFile(join(work, `${contract}.yaml`), yaml)
    await createFile(join(work, 'before.yaml'), before)
    const { evalRecordings } = await import('../evaluation/eval-recordings.ts')
    const output = [{ format: 'json', file: join(folder, 'evaluations', `demo-${contract}.json`) }] as const
    const quiet = openCli({ ...io, cwd: work, env: {}, stdout: nowhere(), stderr: nowhere() })
    const flags = {
      contract: `${contract}.yaml`,
      against: 'before.yaml',
      name: `Demo: ${contract}`,
      output,
      texts: true,
      cache: false,
    } as const
    await evalRecordings(['runs.jsonl'], flags, quiet)
  } catch {
    // The demo has ended, or shows everything else.
  } finally {
    if (work !== undefined) await rm(work, { recursive: true, force: true })
  }
}

async function read(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
  return response.text()
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
