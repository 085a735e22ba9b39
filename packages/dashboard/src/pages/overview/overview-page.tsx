import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** How answers ended over time. */
export function OverviewPage() {
  return (
    <Page title="Overview">
      <Skeleton />
    </Page>
  )
}
