-- Short names: the host gives the table its real name, a tenant column and a policy on it.
create table notes (
  id serial primary key,
  text varchar(1000) not null,
  created_at timestamptz not null default now()
);
