import { mkdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { settle } from '@stickler/core'
import { answerFields, type Fields, requestContract } from '@stickler/core/internal'
import { readRequest } from '../check/check-lines.ts'
import type { Cli } from '../cli.ts'
import { buildChosen, chooseContract, isFile } from '../config/choose-contract.ts'
import { UsageError } from '../errors.ts'
import { whyNot } from '../files/why-not.ts'
import { createFile } from '../files/write-file.ts'
import type { SourceFlags } from '../history/filter-options.ts'
import { readHistory } from '../history/open-history.ts'
import { findInput, readText } from '../inputs/inputs.ts'
import { openPorts } from '../ports/open-ports.ts'
import { formatNamed } from '../recordings/detect.ts'
import { openRecordings, readRecord } from '../recordings/open-recordings.ts'
import { isRecording, type Recording } from '../recordings/recording.ts'
import { yamlData, yamlText } from '../templates/yaml-text.ts'

/** The command line options of `stickler new test`. */
export interface NewTestFlags extends SourceFlags {
  readonly dir?: string
  readonly contract?: string
}

/** More cases than a person reads are a recording; `stickler eval` is for those. */
const most = 50

/** Writes cases from a recorded run, from recordings or from an answer in a file; what happens today is what they expect. Returns the file. */
export async function newTest(source: string, flags: NewTestFlags, cli: Cli): Promise<string> {
  const { io } = cli
  const exists = await stat(resolve(io.cwd, source)).then(
    (found) => found.isFile(),
    () => false,
  )
  const recordings = exists ? await recordingsIn(source, cli) : [await runOf(source, flags, cli)]
  const pieces: string[] = []
  const folder = resolve(io.cwd, flags.dir ?? '.')
  for (const recording of recordings) pieces.push(await caseOf(recording, folder, flags, cli))
  const file = join(
    folder,
    `${
      basename(source)
        .replace(/\.[^.]+$/, '')
        .replace(/[^\w.-]+/g, '-') || 'answers'
    }.test.yaml`,
  )
  const shown = relative(io.cwd, file).replaceAll('\\', '/')
  try {
    await mkdir(folder, { recursive: true })
    await createFile(file, `# Run with: stickler test ${shown}\ncases:\n${pieces.join('')}`)
  } catch (error) {
    throw new UsageError(`cannot write ${shown}: ${whyNot(error)}`)
  }
  return shown
}

async function recordingsIn(source: string, cli: Cli): Promise<readonly Recording[]> {
  const input = await findInput(source, cli.io)
  if (!/\.(?:jsonl|ndjson|json)$/i.test(source)) {
    const { text, damaged } = await readText(input, cli.signal)
    if (damaged) throw new UsageError(`cannot use ${source}: it is not UTF-8`)
    return [{ id: basename(source), file: source, line: 1, fields: { text } }]
  }
  const found: Recording[] = []
  for await (const record of (await openRecordings([input], { signal: cli.signal })).read()) {
    if (isRecording(record)) found.push(record)
    if (found.length > most) throw new UsageError(`${source} has more than ${most} answers; choose some of them`)
  }
  if (found.length === 0) throw new UsageError(`${source} has no answers`)
  return found
}

/** A recorded run, as `stickler runs ID --json` prints it. */
async function runOf(id: string, flags: NewTestFlags, cli: Cli): Promise<Recording> {
  const run = await readHistory(flags, cli, (reader) => reader.getRun(id))
  if (run === undefined) throw new UsageError(`there is no file and no run ${id}`)
  const value = JSON.parse(JSON.stringify(run)) as Fields
  const [record] = readRecord({ line: 1, bytes: 0, value }, id, formatNamed('stickler-runs', '--format'))
  if (record !== undefined && isRecording(record)) return record
  const reason = record?.reason ?? 'without text'
  throw new UsageError(`the run ${id} has no answer: ${reason}${reason === 'text not kept' ? '; texts are kept with store.keepText' : ''}`)
}

async function caseOf({ id, fields, contract: recorded }: Recording, folder: string, flags: NewTestFlags, cli: Cli): Promise<string> {
  const contract = flags.contract ?? recorded
  const { config } = flags
  const chosen = { ...(contract ? { contract } : {}), ...(config === undefined ? {} : { config }) }
  const built = buildChosen(await chooseContract(chosen, cli.io))
  const ports = await openPorts(chosen, cli.io, built)
  try {
    const { answer, context, asked } = readRequest(fields)
    const around = { ports: ports.portsFor(), executor: ports.executorFor(), signal: cli.signal }
    const settled = await settle(requestContract(built, asked), answer, { context, ...around })
    cli.signal.throwIfAborted()
    const codes = [...new Set([...settled.found.issues, ...settled.issues].map(({ code }) => code))].sort()
    const { status, text } = settled
    return [
      `  - name: ${yamlText(id, '      ')}`,
      ...(contract ? [`    contract: ${yamlText(isFile(contract) ? besideCases(contract, folder, cli) : contract, '      ')}`] : []),
      `    answer: ${answerOf(fields)}`,
      ...besideOf(fields).map(([key, value]) => `    ${key}: ${typeof value === 'string' ? yamlText(value, '      ') : yamlData(value)}`),
      '    expect:',
      `      status: ${status}`,
      `      codes: [${codes.join(', ')}]`,
      ...(status === 'repaired' ? [`      text: ${yamlText(text, '        ')}`] : []),
      '',
    ].join('\n')
  } finally {
    await ports.close()
  }
}

/** A file as cases in a folder name it. */
function besideCases(file: string, folder: string, { io }: Cli): string {
  const path = relative(folder, resolve(io.cwd, file)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

const answered = ['text', 'message', 'response']

function answerOf(fields: Fields): string {
  const [whole] = answered.flatMap((key) => ((fields[key] ?? undefined) === undefined ? [] : [fields[key]]))
  if (typeof whole === 'string') return yamlText(whole, '      ')
  return yamlData(whole ?? '')
}

/** What else a case may have. */
function besideOf(fields: Fields): readonly (readonly [string, unknown])[] {
  return answerFields().flatMap((key) =>
    answered.includes(key) || (fields[key] ?? undefined) === undefined ? [] : [[key, fields[key]] as const],
  )
}
