export { CannotListen, type TlsTexts } from './service/listen.ts'
