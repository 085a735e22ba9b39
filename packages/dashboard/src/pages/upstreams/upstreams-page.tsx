import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** The upstreams. */
export function UpstreamsPage() {
  return (
    <Page title="Upstreams">
      <Skeleton />
    </Page>
  )
}
