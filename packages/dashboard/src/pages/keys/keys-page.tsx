import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** The keys. */
export function KeysPage() {
  return (
    <Page title="Keys">
      <Skeleton />
    </Page>
  )
}
