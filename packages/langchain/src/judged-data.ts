import { type CheckOptions, type Contract, settle, UndeliveredError } from '@stickler/core'
import { isFields, judgeData } from '@stickler/core/internal'
import { requirePlain } from '@stickler/core/internal/apis'

/** What has become of data: as the contract leaves it, or why it may not be used and which text of it says so. */
type DataVerdict = { readonly data: unknown } | { readonly error: UndeliveredError; readonly text: string }

/** Judges data that a chain returns, or that a call brings in place of a text; throws when it cannot be read. */
export async function dataVerdict(given: unknown, contract: Contract, options: CheckOptions): Promise<DataVerdict> {
  requirePlain(given)
  const { data, refused, settled, path } = await judgeData(given, contract, (answer, only) =>
    settle(contract, answer, { ...options, ...(only && { only }) }),
  )
  if (!refused) return { data }
  // What only a repair could correct was found before it, and keys cannot be changed.
  const { status, issues, unchecked, found } = settled ?? { status: 'unchecked', issues: [], unchecked: [], found: undefined }
  const isOpen = status === 'unresolved' || status === 'unchecked'
  const error = new UndeliveredError(
    isOpen ? { status, issues, unchecked } : { status: 'unresolved', issues: found?.issues ?? [], unchecked },
  )
  const at = path.reduce<unknown>(
    (inside, step) => (isFields(inside) || Array.isArray(inside) ? Reflect.get(inside, step) : undefined),
    given,
  )
  return { error, text: typeof at === 'string' ? at : JSON.stringify(given) }
}

/** What the contract makes of data; throws when it breaks the contract, or cannot be read. */
export async function judgedData(given: unknown, contract: Contract, options: CheckOptions): Promise<unknown> {
  const verdict = await dataVerdict(given, contract, options)
  if ('error' in verdict) throw verdict.error
  return verdict.data
}
