import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** The list of contracts. */
export function ContractsPage() {
  return (
    <Page title="Contracts">
      <Skeleton />
    </Page>
  )
}
