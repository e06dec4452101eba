/** The calls of the back office that change what it knows of a customer, and the audit entries that each writes. */
import { addPerson } from '../accounts.ts'
import type { AuditedCalls } from './audited-call.ts'

export const peopleCalls: AuditedCalls = ({ shop, admin }) => {
  const asAdmin = (body?: unknown) => ({ token: admin().token, body })
  const note = async () => {
    const { id } = await addPerson(shop.db)
    await shop.post(`/auth/user-notes/${id}`, asAdmin({ text: 'Prefers blue.' }))
    return id
  }
  return {
    addUserNote: {
      tables: ['user_notes'],
      ready: async () => (await addPerson(shop.db)).id,
      act: (id) => shop.post(`/auth/user-notes/${id}`, asAdmin({ text: 'Called.' })),
    },
    deleteUserNote: {
      tables: ['user_notes'],
      ready: async () => {
        const userId = await note()
        const { body } = await shop.get<{ notes: { _id: string }[] }>(
          `/auth/user/${userId}`,
          asAdmin(),
        )
        return body.notes[0]?._id ?? ''
      },
      act: (id) => shop.delete(`/auth/user-note/${id}`, asAdmin()),
    },
  }
}
