import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** The list of evaluations. */
export function EvaluationsPage() {
  return (
    <Page title="Evaluations">
      <Skeleton />
    </Page>
  )
}
