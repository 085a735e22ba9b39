import { pathOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { CopyButton, CopyId } from '../../components/copy.tsx'
import { Link } from '../../components/link.tsx'
import { Page } from '../../components/page.tsx'
import { RunSteps } from './run-steps.tsx'
import { RunView } from './run-view.tsx'
import { useRunKeys } from './use-run-keys.ts'

/** One run on a page of its own, which can be sent as a link. */
export function RunPage({ name }: { readonly name: string }) {
  const { router, shownRuns, origin } = useServices()
  const ids = shownRuns.value
  const at = ids.indexOf(name)
  const open = (id: string | undefined): (() => void) | undefined => (id === undefined ? undefined : () => router.go(pathOf('runs', id)))
  const previous = open(at > 0 ? ids[at - 1] : undefined)
  const next = open(at === -1 ? undefined : ids[at + 1])
  const close = (): void => router.go('/runs')
  useRunKeys({ previous, next, close })
  return (
    <Page
      title="Run"
      beside={
        <>
          <CopyId id={name} most={28} />
          <CopyButton text={`${origin}${pathOf('runs', name)}`} label="Copy the link" icon="link" />
        </>
      }
      actions={
        <>
          <RunSteps previous={previous} next={next} />
          <Link to="/runs" class="button">
            All runs
          </Link>
        </>
      }
    >
      <RunView id={name} />
    </Page>
  )
}
