import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Page } from '../components/page.tsx'
import { Failure, Skeleton } from '../components/state.tsx'
import { useServices } from './services.ts'

/** A component whose code is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const { window } = useServices()
    const [error, setError] = useState<unknown>()
    const [, setLoaded] = useState(loaded !== undefined)
    useEffect(() => {
      if (loaded !== undefined) return
      load().then((component) => {
        loaded = component
        setLoaded(true)
      }, setError)
    }, [])
    const Component = loaded
    if (Component !== undefined) return <Component {...props} />
    return (
      <Page title="Stickler">
        {error === undefined ? (
          <Skeleton rows={8} />
        ) : (
          // After an update of the gateway the files of the old page are gone.
          <Failure error={error} what="The page" retry={() => window.location.reload()} />
        )}
      </Page>
    )
  }
}
