import type { ParserView } from '../../../services/parsing/circuit-changes.ts'
import type { Format } from './create-format.ts'
import type { View } from './create-view.ts'

/** A contract as the API describes it. */
export interface DescribedContract {
  readonly name: string
  readonly validators: readonly {
    readonly name: string
    readonly summary: string
    readonly options?: unknown
    readonly codes?: Readonly<Record<string, unknown>>
    readonly repairs: boolean
    readonly incremental: boolean
    readonly severity?: string
    readonly when?: unknown
  }[]
  readonly policy: Readonly<Record<string, unknown>>
  readonly instructions?: string
}

/** Shows the contracts with their checks. */
export function showContracts(view: View, format: Format, contracts: readonly DescribedContract[]): void {
  const { make, at, name, text, facts } = view
  const written = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  const isEmpty = (value: unknown): boolean => value === undefined || value === null || ['{}', '[]', '""'].includes(JSON.stringify(value))

  at('no-contracts').hidden = contracts.length > 0
  at('contracts').replaceChildren(
    ...contracts.map(({ name: contract, validators, policy, instructions }) =>
      make(
        'details',
        {},
        make(
          'summary',
          {},
          make('strong', {}, name(contract)),
          ` ${format.number(validators.length)} ${validators.length === 1 ? 'check' : 'checks'}`,
        ),
        make(
          'ul',
          {},
          ...validators.map(({ name: validator, summary, options, codes, repairs, incremental, severity, when }) =>
            make(
              'li',
              {},
              make('code', {}, name(validator)),
              ` ${name(summary, 300)} `,
              make('span', { class: 'quiet' }, `${repairs ? 'Can repair. ' : ''}${incremental ? 'Checks while it streams.' : ''}`),
              severity === undefined ? undefined : make('p', { class: 'quiet' }, 'Only warns.'),
              when === undefined ? undefined : make('p', { class: 'quiet' }, `Only when ${name(written(when), 300)}`),
              isEmpty(options) ? undefined : text(written(options), 300),
              isEmpty(codes) ? undefined : make('p', { class: 'quiet' }, name(Object.keys(codes ?? {}).join(', '), 600)),
            ),
          ),
        ),
        facts(Object.entries(policy).map(([term, value]) => [name(term), isEmpty(value) ? undefined : name(written(value), 300)])),
        instructions === undefined || instructions === '' ? undefined : make('h3', {}, 'Feedback to the model'),
        instructions === undefined || instructions === '' ? undefined : text(instructions, 600),
      ),
    ),
  )
}

/** Shows the parser of code: where it is, and the circuit to it; nothing when no contract needs one. */
export function showParser(view: View, format: Format, parser: ParserView | null): void {
  const { make, at, name, time } = view
  const kinds = new Map([
    ['closed', 'valid'],
    ['half-open', 'repaired'],
    ['open', 'unresolved'],
    ['disabled', 'unchecked'],
  ])
  at('parser-part').hidden = parser === null
  if (parser === null) return
  const { kind, url, state, changes } = parser
  const where = kind === 'local' ? 'inside the gateway' : name(url ?? '')
  at('parser').replaceChildren(
    make('li', { class: `tile ${kinds.get(state ?? 'closed') ?? ''}` }, make('strong', {}, state ?? 'ready'), make('span', {}, where)),
  )
  at('parser-changes').replaceChildren(
    ...changes.map((change) => make('li', {}, time(change.at, format.day(change.at)), ` circuit ${change.state}`)),
  )
}
