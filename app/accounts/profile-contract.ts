/** The call that reads the profile anew. Apart from those of the session, which every page has. */
import { Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { User } from './session-contract.ts'

export const profileCalls = {
  getProfile: endpoint({
    method: 'GET',
    path: '/auth/profile',
    access: 'user',
    owner: 'caller',
    summary: 'The user as of now: another device may have changed the profile',
    answer: Type.Object({ user: User }),
  }),
} satisfies Contract
