import type { ComponentChildren } from 'preact'
import { useServices } from '../app/services.ts'

/** One fact: its name, and its value; nothing is shown without one. */
export type Fact = readonly [name: string, value: ComponentChildren]

/** Names and values in columns. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const { format } = useServices()
  return (
    <dl class="fact-grid">
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{format.visible(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
