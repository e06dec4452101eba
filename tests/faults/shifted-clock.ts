/** Loaded before a shop: at SIGUSR2 its clock jumps to where the file at SHIFT_FILE says, in hours. */
import { readFileSync } from 'node:fs'

const HOUR_MS = 60 * 60 * 1000
const now = Date.now
let shift = 0

process.on('SIGUSR2', () => {
  shift = Number(readFileSync(process.env.SHIFT_FILE ?? '', 'utf8')) * HOUR_MS
})

const shifted = () => now() + shift

globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [shifted()] : given, made),
  get: (target, name) => (name === 'now' ? shifted : Reflect.get(target, name)),
})
