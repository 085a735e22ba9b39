import { useState } from 'preact/hooks'
import { useServices } from '../app/services.ts'
import { CopyButton } from './copy.tsx'

/** What a block of code takes. */
interface CodeProps {
  readonly text: string
  /** What it is, for screen readers. */
  readonly label: string
  /** Characters that are shown at first. */
  readonly most?: number
}

/** Text as it came, invisible characters made visible, with a button to copy it; long text is cut until it is asked for. */
export function Code({ text, label, most = 20_000 }: CodeProps) {
  const { format } = useServices()
  const [limit, setLimit] = useState(most)
  const { shown, missing } = format.clamp(text, limit)
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section class="code-scroll" aria-label={label} tabIndex={0}>
        <pre>{shown}</pre>
      </section>
      <CopyButton text={text} label={`Copy: ${label}`} />
      {missing > 0 && (
        <button type="button" class="button code-more" onClick={() => setLimit(limit * 10)}>
          Show more ({format.number(missing)} characters left)
        </button>
      )}
    </div>
  )
}

/** A short text from elsewhere: no markup, no change of direction. */
export function Text({ children }: { readonly children: string }) {
  const { format } = useServices()
  return <bdi>{format.visible(children)}</bdi>
}
