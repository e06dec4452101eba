/** Command-line commands on the parked e-mails. */
import type { CommandContext } from '#app/shared/server/domain-module.ts'
import { deleteParked, releaseParked } from './store.ts'

export const emailCommands = {
  async *sendParked({ db }: CommandContext, _options: object) {
    yield String(await releaseParked(db))
  },
  async *dropParked({ db }: CommandContext, _options: object) {
    yield String(await deleteParked(db))
  },
}
