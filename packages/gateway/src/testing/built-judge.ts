import { requireBuilt } from '../../../../e2e/support/require-built.ts'

/** Throws when judging threads would run an old build. */
export function requireBuiltJudge(folder?: string): void {
  requireBuilt(['core', 'gateway'], folder)
}
