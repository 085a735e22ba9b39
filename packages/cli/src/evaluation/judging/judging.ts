import type { Usage } from '@stickler/core'
import { errorMessage } from '@stickler/core/internal'
import type { Cli } from '../../cli.ts'
import type { Verdict } from '../verdict.ts'
import { type Judge, type Judged, type JudgeFlags, openJudge } from './judge.ts'

/** An answer to judge, and by which contracts. */
export interface Task {
  readonly judged: Judged
  /** Their places in the list of contracts. */
  readonly contracts: readonly number[]
}

/** The verdicts of the contracts that were asked for, or why there are none. */
export type TaskResult = ({ readonly verdicts: readonly Verdict[] } & Partial<Generated>) | { readonly problem: string }

/** What is known of answers that were made for an evaluation, by contract. */
export interface Generated {
  readonly made: readonly { readonly usage: Usage; readonly retried: Usage; readonly text: string }[]
}

/** Judges answers by several contracts, here or in threads. */
export interface Judging {
  judge(tasks: readonly Task[]): Promise<readonly TaskResult[]>
  close(): Promise<void>
}

/** Judges in this thread. */
export function judgeHere(judges: readonly Judge[]): Judging {
  const judgeOne = async ({ judged, contracts }: Task): Promise<TaskResult> => {
    try {
      const verdicts: Verdict[] = []
      for (const at of contracts) {
        const verdict = await judges[at]?.judge(judged)
        if (verdict !== undefined) verdicts.push(verdict)
      }
      return { verdicts }
    } catch (error) {
      return { problem: errorMessage(error).replaceAll('\n', '; ') }
    }
  }
  return {
    judge: (tasks) => Promise.all(tasks.map(judgeOne)),
    close: async () => void (await Promise.all(judges.map((judge) => judge.close()))),
  }
}

/** Opens the contracts that flags name, in their order; closes those that are open when one cannot be. */
export async function openJudges(flags: readonly JudgeFlags[], cli: Pick<Cli, 'io' | 'signal'>): Promise<readonly Judge[]> {
  const judges: Judge[] = []
  try {
    for (const one of flags) judges.push(await openJudge(one, cli))
    return judges
  } catch (error) {
    await Promise.all(judges.map((judge) => judge.close()))
    throw error
  }
}
