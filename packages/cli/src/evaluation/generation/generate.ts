import { enforce, type Outcome, type Usage } from '@stickler/core'
import { addUsage, noUsage } from '@stickler/core/internal'
import type { Cli } from '../../cli.ts'
import type { Config } from '../../config/files.ts'
import { UsageError } from '../../errors.ts'
import { openPorts } from '../../ports/open-ports.ts'
import type { Recording, RecordingSource } from '../../recordings/recording.ts'
import { chooseUpstream } from '../../run/choose-upstream.ts'
import type { OpenRunner } from '../../run/load-runner.ts'
import type { Judge, JudgeFlags } from '../judging/judge.ts'
import type { Judging, Task, TaskResult } from '../judging/judging.ts'
import type { PriceOf } from '../prices.ts'
import { type Verdict, verdictOf } from '../verdict.ts'
import type { CallJournal } from './call-journal.ts'
import { Budget, paidRunner } from './paid-runner.ts'
import type { PromptCase } from './prompts.ts'

/** What answers are made with. */
interface GenerationFlags {
  readonly upstream?: readonly string[]
  readonly repeat?: number
  readonly budgetUsd?: number
}

/** Models that answer prompts under contracts. */
export interface Generation {
  readonly source: RecordingSource
  readonly judging: Judging
  /** What was spent, with what earlier runs of the same evaluation had paid for. */
  readonly budget: Budget
}

interface Cell extends Recording {
  readonly fields: { readonly prompt: PromptCase['prompt']; readonly upstream: number; readonly repetition: number }
}

interface Model extends OpenRunner {
  readonly name: string
  readonly model: string
  readonly settings: unknown
}

/** Opens the named upstreams; every prompt is put to each of them, as often as it is to be repeated, under each contract. */
export async function openGeneration(
  prompts: readonly PromptCase[],
  flags: GenerationFlags,
  contracts: readonly JudgeFlags[],
  setting: {
    readonly cli: Cli
    readonly config: Config | undefined
    readonly judges: readonly Judge[]
    readonly journal: CallJournal
    readonly priceOf: PriceOf
    readonly file: string
  },
): Promise<Generation> {
  const { cli, config, judges, journal, priceOf, file } = setting
  const models: Model[] = []
  const ports: Awaited<ReturnType<typeof openPorts>>[] = []
  const close = async (also: readonly Judge[]): Promise<void> =>
    void (await Promise.all([...models, ...ports, ...also].map((one) => one.close())))
  const budget = new Budget(flags.budgetUsd)
  try {
    for (const name of flags.upstream ?? []) {
      const upstream = config?.value.upstreams.find((one) => one.name === name)
      const { runner, close: closeOne } = await chooseUpstream({ upstream: name }, config, cli.io)
      models.push({ name, model: upstream?.model ?? name, settings: upstream, runner, close: closeOne })
    }
    for (const [at, { contract }] of judges.entries()) ports.push(await openPorts(contracts[at] ?? {}, cli.io, contract))
    const unpriced = models.find(({ model }) => flags.budgetUsd !== undefined && priceOf(model) === undefined)
    if (unpriced !== undefined)
      throw new UsageError(
        `--budget-usd needs the price of ${unpriced.model} (upstream ${unpriced.name}); write it as price in the configuration`,
      )
  } catch (error) {
    // The caller still has the judges.
    await close([])
    throw error
  }

  async function makeOne({ judged, contracts: places }: Task): Promise<TaskResult> {
    const { prompt, upstream, repetition } = judged.fields as Cell['fields']
    const model = models[upstream]
    if (model === undefined) return { problem: 'the upstream is unknown' }
    const verdicts: Verdict[] = []
    const made: { usage: Usage; retried: Usage; text: string }[] = []
    for (const at of places) {
      const judge = judges[at]
      if (judge === undefined) continue
      const used: Usage[] = []
      const runner = paidRunner(model.runner, {
        journal,
        budget,
        price: priceOf(model.model),
        identity: [model.name, model.model, model.settings, repetition],
      })
      const outcome = await enforce({
        contract: judge.contract,
        runner,
        prompt,
        ports: ports[at]?.portsFor() ?? {},
        executor: ports[at]?.executorFor(),
        signal: cli.signal,
        onEvent: (event) => {
          if (event.type === 'attempt-received') used.push(event.usage ?? noUsage)
        },
      })
      cli.signal.throwIfAborted()
      const problem = problemIn(outcome)
      if (problem !== undefined) return { problem: `${model.name}: ${problem}` }
      const { status, attempts, delivered } = outcome
      if (status === 'failed') return { problem: model.name }
      verdicts.push(verdictOf({ ...outcome, status }, { action: attempts > 1 ? 'retry' : delivered ? 'deliver' : 'give-up' }))
      const retried = used.slice(1).reduce<Usage>((sum, usage) => addUsage(sum, usage), noUsage)
      made.push({ usage: outcome.usage, retried, text: outcome.text })
    }
    return { verdicts, made }
  }
  return {
    budget,
    source: { format: 'prompts', read: () => cellsOf(prompts, models, flags.repeat ?? 1, file) },
    judging: {
      // One call after the other: a kill loses at most the one under way.
      async judge(tasks) {
        const results: TaskResult[] = []
        for (const task of tasks) results.push(await makeOne(task))
        return results
      },
      close: () => close(judges),
    },
  }
}

/** An answer for which a call failed is not what the contract makes of the model's answers. */
function problemIn(outcome: Outcome): string | undefined {
  return 'failure' in outcome && outcome.failure !== undefined ? outcome.failure.message : undefined
}

async function* cellsOf(prompts: readonly PromptCase[], models: readonly Model[], repeat: number, file: string): AsyncGenerator<Cell> {
  for (const { id, line, prompt } of prompts)
    for (const [upstream, { name }] of models.entries())
      for (let repetition = 1; repetition <= repeat; repetition++)
        yield {
          id: `${id}@${name}${repeat > 1 ? `#${repetition}` : ''}`,
          file,
          line,
          model: name,
          fields: { prompt, upstream, repetition },
        }
}
