import { type CheckOptions, type Contract, settle, UndeliveredError } from '@stickler/core'
import { judgeData } from '@stickler/core/internal'
import { requirePlain } from '@stickler/core/internal/apis'

/** What the contract makes of data that a chain returns; throws when it breaks the contract, or cannot be read. */
export async function judgedData(given: unknown, contract: Contract, options: CheckOptions): Promise<unknown> {
  requirePlain(given)
  const { data, refused, settled } = await judgeData(given, contract, (answer, only) =>
    settle(contract, answer, { ...options, ...(only && { only }) }),
  )
  if (!refused) return data
  // What only a repair could correct was found before it, and keys cannot be changed.
  const { status, issues, unchecked, found } = settled ?? { status: 'unchecked', issues: [], unchecked: [], found: undefined }
  const isOpen = status === 'unresolved' || status === 'unchecked'
  throw new UndeliveredError(isOpen ? { status, issues, unchecked } : { status: 'unresolved', issues: found?.issues ?? [], unchecked })
}
