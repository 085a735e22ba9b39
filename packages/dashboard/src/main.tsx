import { render } from 'preact'
import { createServices, ServicesContext } from './app/services.ts'
import { App } from './shell/app.tsx'

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
