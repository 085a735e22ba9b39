import { statuses } from '../api/types.ts'
import { useServices } from '../app/services.ts'
import { kindOf } from './pill.tsx'

/** Counts by status as a bar whose parts are as long as their shares. */
export function StatusBar({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const { format } = useServices()
  const order = (status: string): number => (statuses as readonly string[]).indexOf(status)
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => order(a) - order(b))
  const all = parts.reduce((sum, [, count]) => sum + count, 0)
  const words = parts.map(([status, count]) => `${format.number(count)} ${format.visible(status)}`).join(', ')
  return (
    <span class="status-bar" role="img" aria-label={words === '' ? 'none' : words} title={words}>
      {parts.map(([status, count]) => (
        <i key={status} class={kindOf(status)} style={{ width: `${(100 * count) / all}%` }} />
      ))}
    </span>
  )
}
