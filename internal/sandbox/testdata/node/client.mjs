// What the npm client moysklad does with the sandbox, unmodified: node client.mjs https://host/api TOKEN TOKEN-WITHOUT-RIGHTS
import assert from 'node:assert/strict'
import Moysklad from 'moysklad'

const [endpoint, token, limited] = process.argv.slice(2)
const ms = Moysklad({ endpoint, token })
const fails = (promise, code) =>
  assert.rejects(promise, e => (assert.equal(e.code, code, `${e.code}: ${e.message}`), true))
const ref = o => ({ meta: o.meta })

// lists and pages
const seen = new Set()
let page = await ms.GET('entity/product', { limit: 50 })
const { size } = page.meta
for (;;) {
  page.rows.forEach(row => seen.add(row.id))
  if (!page.meta.nextHref) break
  assert.ok(page.meta.nextHref.startsWith(endpoint), page.meta.nextHref)
  page = await ms.fetchUrl(page.meta.nextHref)
}
assert.equal(seen.size, size)

// filters, order, search, expand
const orders = await ms.GET('entity/customerorder', {
  filter: { applicable: true, sum: { $gt: 100000 }, moment: { $gte: new Date('2026-10-01') } },
  order: 'moment,desc', limit: 20, expand: ['agent', 'state', 'positions.assortment']
})
assert.ok(orders.rows.length > 0)
for (const o of orders.rows) {
  assert.ok(o.sum > 100000 && o.agent.name && o.positions.rows[0].assortment.name)
}
const agent = orders.rows[0].agent
const byAgent = await ms.GET('entity/customerorder', { filter: { agent: agent.meta.href } })
assert.ok(byAgent.rows.every(o => o.agent.meta.href === agent.meta.href))
const word = agent.name.split(/[^\p{L}]+/u).find(w => w.length > 3)
const found = (await ms.GET('entity/counterparty', { search: word })).rows
assert.ok(found.some(a => a.id === agent.id), `${word} of ${agent.name}: ${found.length}`)
assert.equal((await ms.GET(`entity/counterparty/${agent.id}`)).name, agent.name)

// reports
const month = { momentFrom: '2026-10-01 00:00:00', momentTo: '2026-10-31 23:59:59' }
for (const [path, query] of [
  ['report/stock/all', { limit: 5 }], ['report/stock/bystore', { limit: 5 }], ['report/profit/byproduct', month],
  ['report/turnover/all', month], ['report/money/byaccount'], ['report/counterparty', { limit: 5 }]
]) {
  assert.ok((await ms.GET(path, query)).rows.length > 0, path)
}
assert.ok(Array.isArray(await ms.GET('report/stock/all/current')))
assert.ok((await ms.GET('report/sales/plotseries', { ...month, interval: 'day' })).series.length > 27)
const started = await ms.GET('report/stock/all', { async: true }, { rawResponse: true })
assert.equal(started.status, 202)
let task
do {
  task = await ms.fetchUrl(started.headers.get('Content-Location'))
} while (task.state !== 'DONE')
const file = await ms.fetchUrl(task.resultUrl, { rawRedirect: true })
assert.ok((await ms.fetchUrl(file.headers.get('Location'))).rows.length > 0)

// additional fields
const fields = (await ms.GET('entity/product/metadata/attributes')).rows
const brand = fields.find(f => f.type === 'string')

// create, update, delete
const [organization] = (await ms.GET('entity/organization')).rows
const [store] = (await ms.GET('entity/store')).rows
const product = await ms.POST('entity/product', {
  name: 'Чайник', code: 'T-1', buyPrice: { value: 50000 }, attributes: [{ ...ref(brand), value: 'Свой' }]
})
assert.equal(product.attributes[0].value, 'Свой')
assert.equal((await ms.PUT(`entity/product/${product.id}`, { ...product, name: 'Чайник 2' })).name, 'Чайник 2')
assert.equal((await ms.GET('entity/product', { filter: { [brand.meta.href]: 'Свой' } })).rows[0].id, product.id)
const customer = await ms.POST('entity/counterparty', { name: 'ООО «Новый»', tags: ['опт'] })
assert.equal((await ms.PUT(`entity/counterparty/${customer.id}`, { email: 'a@b.example' })).email, 'a@b.example')
const draft = {
  organization: ref(organization), agent: ref(customer), store: ref(store), syncId: '11111111-2222-3333-4444-555555555555',
  positions: [{ quantity: 2, price: 70000, reserve: 2, assortment: ref(product) }]
}
const order = await ms.POST('entity/customerorder', draft)
assert.equal(order.sum, 140000)
assert.equal((await ms.POST('entity/customerorder', draft)).id, order.id)
const demand = await ms.POST('entity/demand', {
  organization: ref(organization), agent: ref(customer), store: ref(store), customerOrder: ref(order),
  positions: [{ quantity: 1, price: 70000, assortment: ref(product) }]
})
assert.equal((await ms.GET(`entity/customerorder/${order.id}`)).shippedSum, 70000)
assert.equal((await ms.PUT(`entity/demand/${demand.id}`, { description: 'быстро' })).description, 'быстро')
const spare = await ms.POST('entity/product', { name: 'Лишний' })
assert.equal(await ms.DELETE(`entity/product/${spare.id}`), undefined)

// errors
await fails(ms.GET(`entity/product/${spare.id}`), 1021)
await fails(ms.DELETE(`entity/product/${product.id}`), 1028)
await fails(ms.GET('entity/product2'), 1005)
await fails(ms.GET('entity/product', { filter: { unknown: 1 } }), 1034)
await fails(ms.POST('entity/product', {}), 3000)
await fails(ms.PUT(`entity/product/${product.id}`, { name: 5 }), 2016)
await fails(Moysklad({ endpoint, token: 'wrong' }).GET('entity/store'), 1056)
await fails(Moysklad({ endpoint, token: limited }).GET('report/profit/byproduct'), 1016)
const mixed = await ms.POST('entity/product', [{ name: 'Ещё' }, {}], null, { muteCollectionErrors: true })
assert.equal(mixed[0].name, 'Ещё')
assert.equal(mixed[1].errors[0].code, 3000)
