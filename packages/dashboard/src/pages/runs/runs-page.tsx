import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** The list of runs. */
export function RunsPage() {
  return (
    <Page title="Runs">
      <Skeleton />
    </Page>
  )
}
