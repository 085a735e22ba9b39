/** Why a parser or rule that was asked did not answer. */
export type FaultKind = 'missing' | 'exit' | 'timeout' | 'connection' | 'http' | 'protocol'

/** How our own words for each begin; behind them may stand words of others, which are not read. */
const beginnings: readonly (readonly [FaultKind, RegExp])[] = [
  ['timeout', /^[^:]{0,120} did not answer within \d+ ms/],
  ['missing', /^[^:]{0,120} failed: could not start /],
  ['exit', /^[^:]{0,120} failed: it (?:ended with exit code|was ended by)/],
  ['connection', /^[^:]{0,120} (?:failed: it could not be reached|is unavailable)/],
  ['http', /^[^:]{0,120} failed: it (?:answered with status|redirects)/],
  ['protocol', /^[^:]{0,120} (?:failed: (?:its reply|it wrote|it answered)|gave no verdict|replied without)/],
]

/** The kind of a fault, by the message that names it; none when nobody here has worded it. */
export function faultKind(message: string): FaultKind | undefined {
  return beginnings.find(([, beginning]) => beginning.test(message))?.[0]
}

/** What is kept of a fault where no texts are kept. */
export const faultSentences: Readonly<Record<FaultKind, string>> = {
  missing: 'The program of the rule could not be started.',
  exit: 'The program of the rule ended before it answered.',
  timeout: 'The parser or rule did not answer in time.',
  connection: 'The service of the parser or rule could not be reached.',
  http: 'The service of the rule answered with an error.',
  protocol: 'The parser or rule answered with something that is no verdict.',
}
