type Fields = Readonly<Record<string, unknown>>

/** Names of the limit of a completion in the API itself. */
const ownLimits = ['max_tokens', 'max_completion_tokens'] as const
/** Names that some providers read in addition: they can raise a reservation, but never lower it. */
const otherLimits = [
  'max_output_tokens',
  'max_new_tokens',
  'max_tokens_to_sample',
  'max_gen_len',
  'max_length',
  'min_tokens',
  'n_predict',
  'num_predict',
] as const

/**
 * The maximum tokens of one completion, whichever of its limits the provider applies; `open` where
 * it names none.
 */
export function completionLimitOf(request: Fields, open: number): number {
  return Math.max(largest(request, ownLimits) ?? open, largest(request, otherLimits) ?? 0)
}

/** How many completions a provider makes for one prompt. */
export function choicesOf(request: Fields): number {
  return largest(request, ['n', 'best_of']) ?? 1
}

/** The model does not see a limit, so naming one must not count. */
export function withoutLimits({ max_tokens: _, max_completion_tokens: __, ...shown }: Fields): Fields {
  return shown
}

function largest(request: Fields, names: readonly string[]): number | undefined {
  const given = names.map((name) => countOf(request[name])).filter((value) => value !== undefined)
  return given.length === 0 ? undefined : Math.max(...given)
}

/** Some providers also accept a number as text, or round it. */
function countOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && number > 0 ? Math.min(Math.ceil(number), Number.MAX_SAFE_INTEGER) : undefined
}
