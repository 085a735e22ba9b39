import type { ParserView } from '../../../enforcement/parsing/circuit-changes.ts'
import type { Format } from './create-format.ts'
import type { View } from './create-view.ts'

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
