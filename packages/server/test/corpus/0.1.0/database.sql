SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA tallybook;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE tallybook.account (
    site text NOT NULL,
    name text NOT NULL,
    body text NOT NULL
);
CREATE TABLE tallybook.audit (
    site text NOT NULL,
    number bigint NOT NULL,
    body text NOT NULL
);
CREATE TABLE tallybook.audit_end (
    site text NOT NULL,
    number bigint NOT NULL,
    hash text NOT NULL
);
CREATE TABLE tallybook.carried (
    site text NOT NULL,
    id bytea NOT NULL,
    body text NOT NULL
);
CREATE TABLE tallybook.change (
    site text NOT NULL,
    seq bigint NOT NULL,
    written_at bigint NOT NULL,
    kind text NOT NULL,
    day bigint,
    id bytea,
    body text NOT NULL
);
CREATE TABLE tallybook.correction (
    site text NOT NULL,
    number bigint NOT NULL,
    day bigint NOT NULL,
    id bytea NOT NULL,
    at bigint NOT NULL,
    body text NOT NULL
);
CREATE TABLE tallybook.correction_day (
    site text NOT NULL,
    day bigint NOT NULL,
    revision bigint NOT NULL
);
CREATE TABLE tallybook.credential (
    site text NOT NULL,
    id text NOT NULL,
    body text NOT NULL
);
CREATE TABLE tallybook.day (
    site text NOT NULL,
    day bigint NOT NULL,
    entries bigint NOT NULL,
    latest_place bigint NOT NULL,
    revision bigint NOT NULL
);
CREATE TABLE tallybook.entry (
    site text NOT NULL,
    day bigint NOT NULL,
    id bytea NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    scans bigint NOT NULL,
    place bigint NOT NULL,
    first_flags bigint DEFAULT 0 NOT NULL,
    last_flags bigint DEFAULT 0 NOT NULL
);
CREATE TABLE tallybook.erasure (
    site text NOT NULL,
    key text NOT NULL,
    digest text NOT NULL,
    from_at bigint NOT NULL,
    until bigint NOT NULL,
    expires_at bigint NOT NULL,
    state text NOT NULL,
    is_closed boolean DEFAULT false NOT NULL
);
CREATE TABLE tallybook.format (
    one boolean NOT NULL,
    format bigint NOT NULL,
    compatible bigint NOT NULL
);
CREATE TABLE tallybook.grp (
    site text NOT NULL,
    id bytea NOT NULL,
    body text NOT NULL
);
CREATE TABLE tallybook.name (
    site text NOT NULL,
    id bytea NOT NULL,
    first text,
    last text,
    stamp_ms bigint,
    stamp_counter bigint,
    stamp_node text
);
CREATE TABLE tallybook.person (
    site text NOT NULL,
    id bytea NOT NULL,
    merged text[] NOT NULL,
    body text NOT NULL
);
CREATE TABLE tallybook."position" (
    site text NOT NULL,
    consumer text NOT NULL,
    cursor bigint NOT NULL
);
CREATE TABLE tallybook.provisional (
    site text NOT NULL,
    sequence bigint NOT NULL,
    moment bytea NOT NULL,
    id bytea NOT NULL,
    body text NOT NULL
);
CREATE TABLE tallybook.receipt (
    site text NOT NULL,
    device text NOT NULL,
    runs text NOT NULL
);
CREATE TABLE tallybook.scan (
    site text NOT NULL,
    day bigint NOT NULL,
    id bytea NOT NULL,
    at bigint NOT NULL,
    flags bigint DEFAULT 0 NOT NULL
);
CREATE TABLE tallybook.site (
    site text NOT NULL,
    origin text NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    forgotten bigint DEFAULT 0 NOT NULL,
    kept bigint DEFAULT 0 NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    names_revision bigint DEFAULT 0 NOT NULL,
    people_revision bigint DEFAULT 0 NOT NULL,
    days_revision bigint DEFAULT 0 NOT NULL,
    corrections_revision bigint DEFAULT 0 NOT NULL,
    access_revision bigint DEFAULT 0 NOT NULL,
    erasures_revision bigint DEFAULT 0 NOT NULL,
    stations_revision bigint DEFAULT 0 NOT NULL,
    provisional_number bigint DEFAULT 0 NOT NULL,
    correction_number bigint DEFAULT 0 NOT NULL,
    calendar text,
    erasure_key text NOT NULL,
    processes text[] DEFAULT '{}'::text[] NOT NULL,
    gaps bigint[] DEFAULT '{}'::bigint[] NOT NULL
);
CREATE TABLE tallybook.station (
    site text NOT NULL,
    name text NOT NULL,
    heard_at bigint NOT NULL,
    runs text NOT NULL,
    status text NOT NULL,
    refused text NOT NULL
);
CREATE TABLE tallybook.tag (
    site text NOT NULL,
    id bytea NOT NULL,
    holders text[] NOT NULL,
    body text NOT NULL
);
CREATE TABLE tallybook.writer (
    site text NOT NULL,
    writer text NOT NULL,
    batch bigint NOT NULL,
    written_at bigint NOT NULL
);
INSERT INTO tallybook.account VALUES ('corpus', 'eve', '{"role":"admin","password":"$scrypt$x","passkeys":{"handle":"hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh","spent":[{"nonce":"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn","until":1763500009}],"keys":[{"credentialId":"_-","publicKey":"pQEC","counter":7,"label":"Évas „Telefon“","isSynced":true,"id":"pppppppppppppppp","host":"tally.example","createdAt":1763500000}]},"createdAt":1763500000}');
INSERT INTO tallybook.account VALUES ('corpus', 'ab', '{"role":"admin","createdAt":1763500000}');
INSERT INTO tallybook.audit VALUES ('corpus', 3, '{"at":1795935433,"actor":"eve","action":"name-set","details":{"n":3},"previous":"8546238ee75c9bea00aeb9346210112d11ae0fc8b6074560828f5882abba7c03","hash":"96a3508ac69683099ce02853c7115a63372f992f19547e007d8952cd458977fd"}');
INSERT INTO tallybook.audit VALUES ('corpus', 4, '{"at":1795935433,"actor":"eve","action":"name-set","details":{"n":4},"previous":"96a3508ac69683099ce02853c7115a63372f992f19547e007d8952cd458977fd","hash":"43fc9f3c61e37216b35b177ac1f2b635716dfeaf64565b59277b483eea96098f"}');
INSERT INTO tallybook.audit VALUES ('corpus', 5, '{"at":1795935433,"actor":"eve","action":"name-set","details":{"n":5},"previous":"43fc9f3c61e37216b35b177ac1f2b635716dfeaf64565b59277b483eea96098f","hash":"ada274516022f38b62487671db6bf218c3aa3a054721bad2fa841da1cc6f33bc"}');
INSERT INTO tallybook.audit_end VALUES ('corpus', 5, 'ada274516022f38b62487671db6bf218c3aa3a054721bad2fa841da1cc6f33bc');
INSERT INTO tallybook.carried VALUES ('corpus', '\x6f63636173696f6e2031', '{"kind":"occasion","id":"1","stamp":[7000,1,"hall"],"persons":["0011223344AABB"],"tags":["0011223366"],"value":{"a":2,"b":1}}');
INSERT INTO tallybook.carried VALUES ('corpus', '\x6f63636173696f6e207072616374696365', '{"kind":"occasion","id":"practice","stamp":[1763600000000,0,"later"],"persons":[],"tags":[],"value":{"ends":[1763500000,null],"title":"Übung"}}');
INSERT INTO tallybook.carried VALUES ('corpus', '\x6f63636173696f6e2063616e63656c6c6564', '{"kind":"occasion","id":"cancelled","stamp":[1763600000000,0,"later"],"persons":[],"tags":[],"value":null}');
INSERT INTO tallybook.carried VALUES ('corpus', '\x6d75737465722d6c69737420323032352d31312d31393a31', '{"kind":"muster-list","id":"2025-11-19:1","stamp":[1763600000000,0,"later"],"persons":["0011223344AABB","tag-0A0B0C0D"],"tags":["0A0B0C0D"],"value":["called",true]}');
INSERT INTO tallybook.change VALUES ('corpus', 2, 1796000000, 'erased', NULL, NULL, '{"digest":"506232d37fc99c880a8f6d832b888a99"}');
INSERT INTO tallybook.change VALUES ('corpus', 3, 1796000000, 'name', NULL, '\x04a2b3c4d5', '{"action":"added"}');
INSERT INTO tallybook.change VALUES ('corpus', 4, 1796000000, 'name', NULL, '\x0006547886', '{"action":"added"}');
INSERT INTO tallybook.change VALUES ('corpus', 5, 1796000000, 'scan', 20411, '\x04a2b3c4d5', '{"at":1763500007,"reader":"door","outcome":"counted","flags":7696581394432}');
INSERT INTO tallybook.change VALUES ('corpus', 6, 1796000000, 'scan', 20411, '\x04a2b3c4d5', '{"at":1763500005,"reader":"door","outcome":"already-counted","flags":5497558138880}');
INSERT INTO tallybook.change VALUES ('corpus', 7, 1796000000, 'scan', 20411, '\x04a2b3c4d5', '{"at":1763500009,"reader":"door","outcome":"already-counted","flags":9895604649984}');
INSERT INTO tallybook.change VALUES ('corpus', 8, 1796000000, 'scan', 20411, '\x04a2b3c4d5', '{"at":1763500006,"reader":"door","outcome":"already-counted","flags":6597069766656}');
INSERT INTO tallybook.change VALUES ('corpus', 9, 1796000000, 'scan', 20411, '\x0006547886', '{"at":1763500005,"outcome":"counted"}');
INSERT INTO tallybook.change VALUES ('corpus', 10, 1796000000, 'scan', 20412, '\x0006547886', '{"at":1763590000,"outcome":"counted"}');
INSERT INTO tallybook.change VALUES ('corpus', 11, 1796000000, 'day', 20412, NULL, '{"action":"merged"}');
INSERT INTO tallybook.change VALUES ('corpus', 12, 1796000000, 'provisional', NULL, '\x0006547886', '{"sequence":1,"reader":"door","bootId":"boot","monotonicMs":1.5}');
INSERT INTO tallybook.change VALUES ('corpus', 13, 1796000000, 'provisional', NULL, '\x04a2b3c4d5', '{"sequence":2,"reader":"door","bootId":"boot","monotonicMs":2.25}');
INSERT INTO tallybook.change VALUES ('corpus', 14, 1796000000, 'correction', 20411, '\x04a2b3c4d5', '{"number":1}');
INSERT INTO tallybook.change VALUES ('corpus', 15, 1796000000, 'correction', 20412, '\x04a2b3c4d5', '{"number":2}');
INSERT INTO tallybook.change VALUES ('corpus', 16, 1796000000, 'correction', 20411, '\x04a2b3c4d5', '{"number":1}');
INSERT INTO tallybook.change VALUES ('corpus', 17, 1796000000, 'correction', 20411, '\x0006547886', '{"number":3}');
INSERT INTO tallybook.change VALUES ('corpus', 18, 1796000000, 'person', NULL, NULL, '{"person":"0011223344AABB"}');
INSERT INTO tallybook.change VALUES ('corpus', 19, 1796000000, 'tag', NULL, '\x0011223366', '{}');
INSERT INTO tallybook.change VALUES ('corpus', 20, 1796000000, 'group', NULL, NULL, '{"group":"board"}');
INSERT INTO tallybook.change VALUES ('corpus', 21, 1796000000, 'group', NULL, NULL, '{"group":"🐻 baren"}');
INSERT INTO tallybook.change VALUES ('corpus', 22, 1796000000, 'carried', NULL, NULL, '{"row":"occasion 1"}');
INSERT INTO tallybook.change VALUES ('corpus', 23, 1796000000, 'name', NULL, '\x0a0b0c0d', '{"action":"added"}');
INSERT INTO tallybook.change VALUES ('corpus', 24, 1796000000, 'carried', NULL, NULL, '{"row":"occasion practice"}');
INSERT INTO tallybook.change VALUES ('corpus', 25, 1796000000, 'carried', NULL, NULL, '{"row":"occasion cancelled"}');
INSERT INTO tallybook.change VALUES ('corpus', 26, 1796000000, 'carried', NULL, NULL, '{"row":"muster-list 2025-11-19:1"}');
INSERT INTO tallybook.correction VALUES ('corpus', 2, 20412, '\x04a2b3c4d5', 1763590100, '{"action":"add","reason":"The reader was out of order.","author":"eve","madeAt":1763500090,"state":"pending"}');
INSERT INTO tallybook.correction VALUES ('corpus', 1, 20411, '\x04a2b3c4d5', 1763500011, '{"action":"add","reason":"The reader was out of order.","author":"eve","madeAt":1763500090,"state":"approved","decision":{"by":"ada","at":1763500099}}');
INSERT INTO tallybook.correction VALUES ('corpus', 3, 20411, '\x0006547886', 1763500005, '{"action":"void","reason":"The reader was out of order.","author":"eve","madeAt":1763500090,"state":"pending"}');
INSERT INTO tallybook.correction_day VALUES ('corpus', 20412, 19);
INSERT INTO tallybook.correction_day VALUES ('corpus', 20411, 21);
INSERT INTO tallybook.credential VALUES ('corpus', 'aaaaaaaaaaaaaaaa', '{"digest":"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","kind":"token","role":"device","user":"eve","label":"door","createdAt":1763500000}');
INSERT INTO tallybook.credential VALUES ('corpus', 'bbbbbbbbbbbbbbbb', '{"digest":"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","kind":"session","role":"admin","user":"eve","label":"door","createdAt":1763500000,"expiresAt":1763509000,"lastUsed":20411}');
INSERT INTO tallybook.day VALUES ('corpus', 20411, 2, 2, 13);
INSERT INTO tallybook.day VALUES ('corpus', 20412, 2, 2, 15);
INSERT INTO tallybook.entry VALUES ('corpus', 20411, '\x04a2b3c4d5', 1763500005, 1763500009, 4, 1, 5497558138880, 9895604649984);
INSERT INTO tallybook.entry VALUES ('corpus', 20411, '\x0006547886', 1763500005, 1763500005, 1, 2, 0, 0);
INSERT INTO tallybook.entry VALUES ('corpus', 20412, '\x0006547886', 1763590000, 1763590000, 1, 1, 0, 0);
INSERT INTO tallybook.entry VALUES ('corpus', 20412, '\x04a2b3c4d5', 1763590001, 1763590009, 5, 2, 0, 0);
INSERT INTO tallybook.erasure VALUES ('corpus', 'b95ff8bcb09e6d3fcf7d3d18e7737e1f', '506232d37fc99c880a8f6d832b888a99', 0, 1763500005, 1798060000, 'removed', false);
INSERT INTO tallybook.format VALUES (true, 1, 1);
INSERT INTO tallybook.grp VALUES ('corpus', '\x626f617264', '{"id":"board","label":{"value":"Board","stamp":[7000,1,"hall"]}}');
INSERT INTO tallybook.grp VALUES ('corpus', '\xf09f90bb20626172656e', '{"id":"🐻 baren","label":{"stamp":[7000,1,"hall"]},"alias":{"value":"board","stamp":[7000,1,"hall"]}}');
INSERT INTO tallybook.name VALUES ('corpus', '\x04a2b3c4d5', 'Ada', 'Lovelace', 1796000000000, 0, '7813a91cd2207400');
INSERT INTO tallybook.name VALUES ('corpus', '\x0006547886', 'Žofie', '', 5000, 2, 'hall');
INSERT INTO tallybook.name VALUES ('corpus', '\x0011223344', NULL, NULL, 6000, 0, 'hall');
INSERT INTO tallybook.name VALUES ('corpus', '\x0011223355', NULL, NULL, NULL, NULL, '');
INSERT INTO tallybook.name VALUES ('corpus', '\x0011223366', NULL, NULL, 7000, 1, 'hall');
INSERT INTO tallybook.name VALUES ('corpus', '\x0a0b0c0d', 'Grace', 'Hopper', 1796000000000, 0, '7813a91cd2207400');
INSERT INTO tallybook.person VALUES ('corpus', '\x3030313132323333343441414242', '{}', '{"id":"0011223344AABB","name":{"value":{"first":"Eve","last":""},"stamp":[7000,1,"hall"]},"number":{"value":"7","stamp":[7000,1,"hall"]},"guest":{"value":{"since":20411,"host":"Ada"},"stamp":[7000,1,"hall"]},"groups":[{"group":"board","since":0,"until":9,"stamp":[7000,1,"hall"]},{"group":"🐻 baren","since":10,"isUndone":true,"stamp":[7000,1,"hall"]}],"tags":["0011223366"],"aliases":[]}');
INSERT INTO tallybook."position" VALUES ('corpus', 'corpus', 3);
INSERT INTO tallybook.provisional VALUES ('corpus', 1, '\x957050598d8b8ae5c0102ed88cf87621f9ed9229f849d1a2e98304bf28c7e4d1', '\x0006547886', '{"reader":"door","bootId":"boot","shown":1763499991,"notBefore":1763499990,"monotonicMs":1.5}');
INSERT INTO tallybook.provisional VALUES ('corpus', 2, '\x604a04ed0598c8fd1b096447cf46981538e5cbc944807ae06c51940102749683', '\x04a2b3c4d5', '{"reader":"door","bootId":"boot","shown":1763499991,"notBefore":1763499990,"monotonicMs":2.25,"filing":{"day":20411,"at":1763500002,"estimate":{"earliest":1763499990,"latest":1763500003},"isRecorded":false}}');
INSERT INTO tallybook.receipt VALUES ('corpus', 'door', '[["b",2],["a",5]]');
INSERT INTO tallybook.receipt VALUES ('corpus', 'gate', '[["a",7]]');
INSERT INTO tallybook.scan VALUES ('corpus', 20411, '\x04a2b3c4d5', 1763500007, 7696581394432);
INSERT INTO tallybook.scan VALUES ('corpus', 20411, '\x04a2b3c4d5', 1763500006, 6597069766656);
INSERT INTO tallybook.site VALUES ('corpus', '7813a91cd2207400', 26, 0, 25, 40, 38, 39, 14, 21, 23, 5, 37, 2, 3, NULL, 'b95ff8bcb09e6d3fcf7d3d18e7737e1f', '{1795935432590859}', '{}');
INSERT INTO tallybook.station VALUES ('corpus', 'hall', 1763500030, '[["before",9],["now",7]]', '{"waiting":3,"oldestWaitingAt":1763499997,"provisional":1,"isClockTrusted":false,"version":"1.0.0"}', '[{"cursor":3,"code":"TAG_ERASED","message":"The tag was erased.","run":"before","at":1763500010},{"cursor":4,"code":"TAG_ERASED","message":"The tag was erased.","run":"now","at":1763500020},{"cursor":4,"code":"TAG_ERASED","message":"The tag was erased.","run":"before","at":1763500020},{"cursor":5,"code":"TAG_ERASED","message":"The tag was erased.","run":"before","at":1763500020}]');
INSERT INTO tallybook.station VALUES ('corpus', 'gate', 1763500000, '[["run",0]]', '{"waiting":3,"oldestWaitingAt":1763499997,"provisional":1,"isClockTrusted":false,"version":"1.0.0"}', '[]');
INSERT INTO tallybook.tag VALUES ('corpus', '\x0011223366', '{0011223344AABB}', '{"tag":"0011223366","entries":[{"since":0,"why":"given","stamp":[7000,1,"hall"],"holder":"0011223344AABB"},{"since":1763500003,"why":"lost","stamp":[7000,1,"hall"],"after":"0011223344AABB"}]}');
INSERT INTO tallybook.writer VALUES ('corpus', '4ef68a9a0195f179', 37, 1795935433);
INSERT INTO tallybook.writer VALUES ('corpus', 'b8f662fd575da59d', 3, 1795935433);
ALTER TABLE ONLY tallybook.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (site, name);
ALTER TABLE ONLY tallybook.audit_end
    ADD CONSTRAINT audit_end_pkey PRIMARY KEY (site);
ALTER TABLE ONLY tallybook.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (site, number);
ALTER TABLE ONLY tallybook.carried
    ADD CONSTRAINT carried_pkey PRIMARY KEY (site, id);
ALTER TABLE ONLY tallybook.change
    ADD CONSTRAINT change_pkey PRIMARY KEY (site, seq);
ALTER TABLE ONLY tallybook.correction_day
    ADD CONSTRAINT correction_day_pkey PRIMARY KEY (site, day);
ALTER TABLE ONLY tallybook.correction
    ADD CONSTRAINT correction_pkey PRIMARY KEY (site, number);
ALTER TABLE ONLY tallybook.credential
    ADD CONSTRAINT credential_pkey PRIMARY KEY (site, id);
ALTER TABLE ONLY tallybook.day
    ADD CONSTRAINT day_pkey PRIMARY KEY (site, day);
ALTER TABLE ONLY tallybook.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (site, day, id);
ALTER TABLE ONLY tallybook.erasure
    ADD CONSTRAINT erasure_pkey PRIMARY KEY (site, key, digest, from_at);
ALTER TABLE ONLY tallybook.format
    ADD CONSTRAINT format_pkey PRIMARY KEY (one);
ALTER TABLE ONLY tallybook.grp
    ADD CONSTRAINT grp_pkey PRIMARY KEY (site, id);
ALTER TABLE ONLY tallybook.name
    ADD CONSTRAINT name_pkey PRIMARY KEY (site, id);
ALTER TABLE ONLY tallybook.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (site, id);
ALTER TABLE ONLY tallybook."position"
    ADD CONSTRAINT position_pkey PRIMARY KEY (site, consumer);
ALTER TABLE ONLY tallybook.provisional
    ADD CONSTRAINT provisional_pkey PRIMARY KEY (site, sequence);
ALTER TABLE ONLY tallybook.provisional
    ADD CONSTRAINT provisional_site_moment_key UNIQUE (site, moment);
ALTER TABLE ONLY tallybook.receipt
    ADD CONSTRAINT receipt_pkey PRIMARY KEY (site, device);
ALTER TABLE ONLY tallybook.scan
    ADD CONSTRAINT scan_pkey PRIMARY KEY (site, day, id, at);
ALTER TABLE ONLY tallybook.site
    ADD CONSTRAINT site_pkey PRIMARY KEY (site);
ALTER TABLE ONLY tallybook.station
    ADD CONSTRAINT station_pkey PRIMARY KEY (site, name);
ALTER TABLE ONLY tallybook.tag
    ADD CONSTRAINT tag_pkey PRIMARY KEY (site, id);
ALTER TABLE ONLY tallybook.writer
    ADD CONSTRAINT writer_pkey PRIMARY KEY (site, writer);
CREATE INDEX correction_of_day ON tallybook.correction USING btree (site, day, number);
