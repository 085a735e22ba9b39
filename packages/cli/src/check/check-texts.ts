import { Answer, type Contract, certificateData, settle, settledData } from '@stickler/core'
import { buildChosen } from '../config/choose-contract.ts'
import { safeJson } from '../terminal/printable.ts'
import { UsageError } from '../usage-error.ts'
import { type Input, readText } from './inputs.ts'
import type { CheckJob } from './job.ts'
import { findProposals } from './proposals.ts'
import { type Checked, describeChecked } from './report.ts'

/** Checks inputs that are one answer each; one that cannot be read does not keep the others from being checked. */
export async function checkTexts(job: CheckJob, asJson: boolean): Promise<void> {
  const { cli, tally, progress } = job
  const contract = buildChosen(job.choice)
  const results: unknown[] = []
  let bytes = 0
  for (const input of job.inputs) {
    try {
      const checked = await checkText(input, contract, job)
      bytes += input.size ?? 0
      progress.update(bytes, 0)
      if (asJson) results.push(asData(checked))
      else {
        progress.clear()
        await cli.stdout.write(describeChecked(checked, cli.paintOut))
      }
    } catch (error) {
      if (cli.signal.aborted || !(error instanceof UsageError)) throw error
      tally.addUnreadable()
      cli.note(error.message)
    }
  }
  if (asJson) await cli.stdout.write(`${safeJson({ results }, 2)}\n`)
}

async function checkText(input: Input, contract: Contract, { cli, tally, portsFor, executorFor }: CheckJob): Promise<Checked> {
  const { text, damaged } = await readText(input, cli.signal)
  if (damaged) cli.note(`${input.name} is not UTF-8; the bytes that are not were read as U+FFFD`)
  const answer = new Answer(text)
  const options = { context: { file: input.name }, ports: portsFor(), executor: executorFor(), signal: cli.signal }
  const settled = await settle(contract, answer, options)
  cli.signal.throwIfAborted()
  const proposals = await findProposals(contract, answer, settled, options)
  tally.add(settled)
  return { name: input.name, answer, settled, proposals }
}

function asData({ name, answer, settled, proposals }: Checked): Readonly<Record<string, unknown>> {
  const proposed = proposals.map(({ certificate, why }) => ({ ...certificateData(certificate), why }))
  return { file: name, ...settledData(settled, answer), ...(proposed.length > 0 ? { proposed } : {}) }
}
