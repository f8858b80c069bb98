/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Tenants',
  'plugin.description': 'Tenants and the hosts they answer to',
  tenant_domains: 'Domains',
  admin_tenants: 'Tenants',
  'dns.txt': 'Add a TXT record {txtName} with the value {txtValue}',
  'dns.cname': 'Add a CNAME record {cnameName} that points to {cnameTarget}',
  'dns.apex': 'Apex domain: use ALIAS/ANAME to {cnameTarget}, because no CNAME may stand there',
  'dns.apexWithAddresses': 'Apex domain: use ALIAS/ANAME to {cnameTarget}, or A records to {addresses}',
  'dns.proxy': 'If your DNS proxy is on, switch it off until verified',
}
