import type { FastifyInstance } from 'fastify'
import { accountCalls } from '#app/accounts/contract.ts'
import { accountHandlers } from '#app/accounts/server/api.ts'
import { findCaller } from '#app/accounts/server/sessions.ts'
import { categoryCalls } from '#app/categories/contract.ts'
import { categoryHandlers } from '#app/categories/server/api.ts'
import { productCalls } from '#app/products/contract.ts'
import { productHandlers } from '#app/products/server/api.ts'
import type { Contract } from '#app/shared/contract/endpoint.ts'
import { type Handlers, type Identify, mount } from '#app/shared/server/mount.ts'
import type { AppOptions } from './app.ts'

/** Mounts every domain's contract with its handlers. */
export async function mountDomains(api: FastifyInstance, { db }: AppOptions) {
  const identify: Identify = (token) => findCaller(db, token)
  const open = <C extends Contract>(contract: C, handlers: Handlers<C>) =>
    mount(api, contract, handlers, identify)
  open(accountCalls, accountHandlers({ db }))
  open(categoryCalls, categoryHandlers({ db }))
  open(productCalls, productHandlers({ db }))
}
