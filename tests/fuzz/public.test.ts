import { isOpen } from '#app/shared/contract/access.ts'
import { declared } from '#tests/support/declared.ts'
import { fuzz } from './fuzz.ts'

fuzz(declared.filter(([, { access }]) => isOpen(access)))
