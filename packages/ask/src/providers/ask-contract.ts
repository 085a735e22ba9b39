import { type Contract, contract } from '@stickler/core'
import type { AskMode } from '@stickler/presets/internal'
import { citedAnswers } from '@stickler/presets/internal'

/** The contract of a question: strict as in the preset, or lenient without a retry. */
export function askContract(mode: AskMode, live: boolean, deadlineMs: number): Contract {
  const policy = mode === 'strict' ? {} : ({ mode, retries: 0 } as const)
  const budget = { deadlineMs: Math.max(1, Math.ceil(deadlineMs)) }
  return contract({ preset: citedAnswers, ...policy, ...(live ? { stream: 'verified' } : {}), budget })
}
