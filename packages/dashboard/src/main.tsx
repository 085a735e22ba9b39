import { render } from 'preact'
import { createServices, ServicesContext } from './app/services.ts'
import { App } from './shell/app.tsx'

// A system without a usual locale has a name that Intl rejects, and uPlot would show no chart.
try {
  Intl.getCanonicalLocales(window.navigator.language)
} catch {
  Object.defineProperty(window.navigator, 'language', { value: 'en' })
}

const place = window.document.getElementById('app')
if (place !== null) {
  place.replaceChildren()
  render(
    <ServicesContext.Provider value={createServices(window)}>
      <App />
    </ServicesContext.Provider>,
    place,
  )
}
