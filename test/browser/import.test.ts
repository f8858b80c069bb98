import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { dataOf } from '../support/platform.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

describe('people of a file', () => {
  const acts = useActs()
  const fileOf = (text: string, name = 'people.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

  it('are checked line by line before anything is sent, and then added with passwords that are shown once', async () => {
    const { host } = acts.stage
    const by = await acts.stage.owner()
    const org = dataOf(await by.post('/tenant/orgs', { name: 'Imported', code: 'imported' }), 201)
    const count = async () => Number((await by.get('/tenant/users?q=csv-&page_size=1')).body['data']?.['total'])
    dataOf(await by.post('/tenant/users', { email: 'csv-there@demo.test', roles: ['tenant_user'] }), 201)
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/users')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Import people from a file' })
    const input = dialog.locator('input[type=file]')
    const faulty = [
      'email,nickname,roles,nodes',
      'csv-one@demo.test,"One, the ""first""\nof all",tenant_user,imported',
      '',
      'no address,Two,nobody,',
      'CSV-one@demo.test,Three,,nowhere,too much',
    ]
    await input.setInputFiles(fileOf(faulty.join('\r\n')))
    const items = dialog.getByRole('listitem')
    await dialog.getByRole('alert').waitFor()
    assert.deepEqual(await items.allInnerTexts(), [
      'Line 5: “no address” is no e-mail address',
      'Line 6: more than 4 values; a value with a comma is put into quotation marks',
      'Line 6: CSV-one@demo.test stands in line 2 already',
    ])
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByText('Choose a file without faults first.').waitFor()
    assert.equal(await count(), 1)
    await input.setInputFiles(fileOf('email,nodes,roles\ncsv-one@demo.test,nowhere,nobody'))
    await dialog.getByText('Line 2: there is no organisation node with the code “nowhere”').waitFor()
    await dialog.getByText('Line 2: there is no role with the code “nobody”').waitFor()
    await input.setInputFiles(fileOf(`email\n${'x'.repeat(1_000_000)}`))
    await dialog.getByText('Line 1: the file is larger than a megabyte; import it in parts').waitFor()

    const right = ['\uFEFFemail;nickname;roles;nodes', 'csv-one@demo.test;=One;tenant_user|tenant_admin;imported']
    right.push('csv-there@demo.test;There;;', 'csv-two@demo.test;Two;;')
    await input.setInputFiles(fileOf(right.join('\n')))
    await dialog.getByText('3 people of people.csv can be added.').waitFor()
    await dialog.getByRole('combobox').selectOption('create')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.getByText('2 people were added.').waitFor()
    assert.match((await items.allInnerTexts()).join(), /^Line 3: csv-there@demo\.test: \S/)
    const saving = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save the passwords' }).click()
    const saved = await readFile(await (await saving).path(), 'utf8')
    const password = /^csv-one@demo\.test,(\S+)\r?$/m.exec(saved)?.[1] ?? ''
    const login = { account: 'csv-one@demo.test', password, tenant_code: 'demo' }
    const { user } = dataOf(await host.api.post('/auth/login/json', login)) as unknown as {
      readonly user: { readonly id: number; readonly nickname: string }
    }
    assert.equal(user.nickname, '=One')
    const made = dataOf(await by.get(`/tenant/users/${user.id}`)) as unknown as {
      readonly roles: readonly { readonly code: string }[]
      readonly org_ids?: readonly number[]
    }
    assert.deepEqual(made.roles.map(({ code }) => code).toSorted(), ['tenant_admin', 'tenant_user'])
    const members = dataOf(await by.get(`/tenant/orgs/${Number(org['id'])}/members`)) as unknown as { total: number }
    assert.equal(members.total, 1)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: '=One' }).waitFor()
  })

  it('are invited where they are to choose their own password', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/users')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Import people from a file' })
    await dialog.locator('input[type=file]').setInputFiles(fileOf('email\ncsv-invited@demo.test\n'))
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog.getByText('1 person was invited.').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Invitations' }).click()
    await page.getByText('csv-invited@demo.test').waitFor()
  })
})
