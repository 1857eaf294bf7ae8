#!/usr/bin/env bash
# nginx 1.22.1 with libnginx-mod-http-geoip2 1:3.4-3 (Debian 12); the files by mmdb_writer 0.2.7 from PyPI.
#
# Behaviour: auto_reload compares the file's time of modification with that of the file that is open, and reads it again only if it is
# newer. A replacement with an older or the same time (yesterday's file put back by mv, cp -p, rsync -t or tar; two files built in the same
# second) is never read, however long nginx runs, and nothing is logged; $…_last_check goes on as if all were well.
#
# Seen, 198.51.100.7 is in NL by the first file and in PL by the second:
#     first file:                          NL
#     second file, an hour older:          NL
#     the same file after touch:           PL
#
# Why a good engineer guesses wrong: the module says that it reloads a database that has changed, and a rollback changes it: another
# inode, another size, another build_epoch. Make, rsync and most watchers take "differs" for changed, here it is "newer". So who puts
# back an older database must touch it, or reload nginx.
set -euo pipefail
folder=$(mktemp -d)
trap '[ ! -s "$folder/pid" ] || kill "$(cat "$folder/pid")"; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -q nginx libnginx-mod-http-geoip2=1:3.4-3 libmaxminddb0 >/dev/null 2>&1
for package in ./*.deb; do dpkg -x "$package" debian; done
libraries=$(dirname "$(find "$folder/debian" -name libmaxminddb.so.0)")
nginx() { LD_LIBRARY_PATH=$libraries "$folder/debian/usr/sbin/nginx" -e "$folder/error.log" "$@"; }
nginx -v 2>&1 | grep -q 'nginx/1\.22\.1$'
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check mmdb_writer==0.2.7
cat >make.py <<'PYTHON'
from mmdb_writer import MMDBWriter
from netaddr import IPSet

for country in ("NL", "PL"):
    writer = MMDBWriter(6, "proof", languages=["en"], description="proof", ipv4_compatible=True)
    writer.insert_network(IPSet(["198.51.100.0/24"]), {"country": {"iso_code": country}})
    writer.to_db_file(country + ".mmdb")
PYTHON
python/bin/python make.py
cat >nginx.conf <<NGINX
load_module $folder/debian/usr/lib/nginx/modules/ngx_http_geoip2_module.so;
pid $folder/pid;
error_log $folder/error.log info;
events {}
http {
    client_body_temp_path $folder/t1; proxy_temp_path $folder/t2; fastcgi_temp_path $folder/t3; uwsgi_temp_path $folder/t4; scgi_temp_path $folder/t5;
    access_log off;
    geoip2 $folder/live.mmdb {
        auto_reload 1s;
        \$country source=\$arg_address country iso_code;
    }
    server {
        listen unix:$folder/socket;
        return 200 \$country;
    }
}
NGINX
# The reload is begun by a request, and is there for a later one.
asked() {
    for _ in 1 2 3; do
        sleep 1.5
        country=$(curl --silent --max-time 5 --unix-socket socket 'http://localhost/?address=198.51.100.7')
    done
    echo "$country"
}
cp NL.mmdb live.mmdb
nginx -c "$folder/nginx.conf"
first=$(asked)
touch --date='-1 hour' PL.mmdb
mv PL.mmdb live.mmdb
older=$(asked)
touch live.mmdb
touched=$(asked)
is="first file: $first; second file, an hour older: $older; the same file after touch: $touched"
echo "$is"
[ "$is" = "first file: NL; second file, an hour older: NL; the same file after touch: PL" ]
