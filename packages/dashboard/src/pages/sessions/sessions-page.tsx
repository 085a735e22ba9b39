import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** The list of sessions. */
export function SessionsPage() {
  return (
    <Page title="Sessions">
      <Skeleton />
    </Page>
  )
}
