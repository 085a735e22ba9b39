import { useEffect, useRef } from 'preact/hooks'
import { pathOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { CopyButton, CopyId } from '../../components/copy.tsx'
import { Icon } from '../../components/icon.tsx'
import { Link } from '../../components/link.tsx'
import { RunSteps } from './run-steps.tsx'
import { RunView } from './run-view.tsx'
import { useRunKeys } from './use-run-keys.ts'

/** What the panel takes. */
interface RunPanelProps {
  readonly id: string
  /** The ids of the runs before and after in the list. */
  readonly previous?: string | undefined
  readonly next?: string | undefined
  open(id: string): void
  close(): void
}

/** One run beside the list. */
export function RunPanel({ id, previous, next, open, close }: RunPanelProps) {
  const { origin } = useServices()
  const panel = useRef<HTMLElement>(null)
  const to = (other: string | undefined): (() => void) | undefined => (other === undefined ? undefined : () => open(other))
  const steps = { previous: to(previous), next: to(next) }
  useRunKeys({ ...steps, close })
  useEffect(() => {
    if (panel.current !== null) panel.current.scrollTop = 0
  }, [id])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <aside class="run-panel" aria-label="Run" tabIndex={0} ref={panel}>
      <header class="run-panel-head">
        <h2>Run</h2>
        <CopyId id={id} />
        <CopyButton text={`${origin}${pathOf('runs', id)}`} label="Copy the link" icon="link" />
        <div class="panel-actions">
          <RunSteps {...steps} />
          <Link to={pathOf('runs', id)} class="button">
            Open
          </Link>
          <button type="button" class="button icon-button" aria-label="Close" title="Close  Esc" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
      </header>
      <div class="run-panel-body">
        <RunView id={id} />
      </div>
    </aside>
  )
}
