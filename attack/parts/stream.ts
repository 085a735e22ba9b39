import { type Contract, type ContractOptions, enforce, enforceStream, type FilePort, type Outcome } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { ParserUnavailable, type SyntaxParser } from '@stickler/core/validators'
import fc from 'fast-check'
import { contract } from '../../packages/presets/src/testing/contract.ts'
import { type Attack, attackWith, holds, same } from '../attack.ts'
import { chunkLengths, cutText } from '../generators/chunks.ts'
import { contracts, validatorsOf } from '../generators/contracts.ts'
import { type Offer, offerContext, offers, scriptedTurn, scriptsFor, type Turn } from '../generators/scripts.ts'
import { wrongShown } from '../oracles/shown.ts'

interface StreamCase {
  readonly rules: ContractOptions
  readonly turns: readonly Turn[]
  readonly offer: Offer
  readonly lengths: readonly number[]
  readonly file: { readonly file?: string }
}

interface Streamed {
  readonly outcome: Outcome
  readonly shown: string
  /** Whether a call was ended before the model was done. */
  readonly stopped: boolean
}

const files: FilePort = {
  kind: async (path) => (path.startsWith('src') ? 'file' : 'missing'),
  list: async () => ['src/a.ts', 'src/b.ts'],
}

/** Whether the answer is told to be a file, which may be code without a fence. */
const fileContexts = fc.constantFrom({}, { file: 'answer.txt' }, { file: 'answer.json' })

const cases: fc.Arbitrary<StreamCase> = fc
  .tuple(contracts, fc.constantFrom('verified' as const, 'hold' as const, 'pass' as const), offers, chunkLengths, fileContexts)
  .chain(([rules, stream, offer, lengths, file]) =>
    scriptsFor(validatorsOf(rules)).map((turns) => ({
      rules: { ...rules, stream, retries: turns.length - 1 },
      turns,
      offer,
      lengths,
      file,
    })),
  )

/** Streams against whole answers; another way to build contracts is for tests of the attack. */
export function streamAttack(build: (rules: ContractOptions) => Contract = contract): Attack {
  return {
    name: 'stream',
    compares: 'answers in any chunks, with the same answers as a whole',
    start: async () => attackWith(cases, (one) => compare(one, build(one.rules))),
  }
}

/** Knows JSON, and has no verdict on some of it. */
const parser: SyntaxParser = {
  async parse(language, source) {
    if (language !== 'json') return { verdict: 'unsupported' }
    if (source.includes('x')) throw new ParserUnavailable('no verdict', 'fault')
    try {
      JSON.parse(source)
      return { verdict: 'valid' }
    } catch {
      return { verdict: 'invalid', trace: [{ line: 1, column: 1, endLine: 1, endColumn: 2, message: 'not JSON' }] }
    }
  },
}

async function compare({ turns, offer, lengths, file }: StreamCase, rules: Contract): Promise<void> {
  const given = {
    contract: rules,
    prompt: 'Tabs or spaces?',
    context: { ...offerContext(offer), ...file, sources: 1 },
    ports: { files, parser },
  }
  const whole = await enforce({ ...given, runner: scripted(turns.map((turn) => scriptedTurn(turn))) })
  const stream = async (sizes: readonly number[] | undefined): Promise<Streamed> => {
    const runner = scripted(turns.map((turn) => scriptedTurn(turn, sizes && cutText(turn.text, sizes))))
    const enforced = enforceStream({ ...given, runner })
    let shown = ''
    for await (const piece of enforced) shown += piece
    return { outcome: await enforced.outcome, shown, stopped: runner.calls.some(({ aborted }) => aborted) }
  }
  const uncut = await stream(undefined)
  const cut = await stream(lengths)
  for (const one of [uncut, cut]) keepsWhatItShows(one, rules)
  const { mode, stream: way } = rules.policy
  // What a verified stream has shown before a retry depends on the chunks and cannot be taken back, so only first attempts are compared.
  const comparable = way !== 'verified' || cut.outcome.attempts === 1
  if (comparable) same('two ways to cut the answer differ', summary(uncut.outcome), summary(cut.outcome))
  else holds('only one of two ways to cut the answer asks again', uncut.outcome.attempts > 1)
  // Whoever passes everything on asks nobody again; whoever stops a stream early reports only what doomed it.
  if (mode === 'shadow' || way === 'pass' || !comparable || cut.stopped) return
  // A verified stream appends what is missing at the end rather than ask again after text was shown.
  if (way === 'verified' && whole.attempts > 1) return
  same('stream and whole answer differ', summary(cut.outcome), summary(whole))
}

/** What is shown is the beginning of what is delivered, and all of it where it is delivered. */
function keepsWhatItShows({ outcome, shown }: Streamed, { policy }: Contract): void {
  const { mode, stream } = policy
  if (outcome.status === 'failed') return
  holds('text was shown that is not in the outcome', outcome.text.startsWith(shown), shown, outcome.text)
  if (outcome.delivered) same('not all of a delivered answer was shown', shown, outcome.text)
  if (mode !== 'strict' || outcome.delivered || stream === 'pass') return
  if (stream === 'hold') same('text was shown before the verdict', shown, '')
  const wrong = wrongShown(outcome, shown)
  holds(`text with ${wrong?.code} was shown`, wrong === undefined, shown, wrong)
}

function summary({ status, delivered, text, toolCalls, issues, fixed, repairs, attempts, failure }: Outcome): object {
  return { status, delivered, text, toolCalls, issues, fixed, repairs, attempts, failure: failure?.kind }
}
