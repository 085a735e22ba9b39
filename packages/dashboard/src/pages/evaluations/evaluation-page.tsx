import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** One evaluation. */
export function EvaluationPage({ name }: { readonly name: string }) {
  return (
    <Page title={name}>
      <Skeleton />
    </Page>
  )
}
