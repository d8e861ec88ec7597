// The files of the nginx image that people look at, copy and mount over.

export const CONFIG_FILES = {
  main: '/etc/nginx/nginx.conf',
  site: '/etc/nginx/conf.d/default.conf',
  types: '/etc/nginx/mime.types',
} as const;

export const WELCOME = `<!DOCTYPE html>
<html>
<head>
<title>Welcome to nginx!</title>
</head>
<body>
<h1>Welcome to nginx!</h1>
</body>
</html>
`;

export const NGINX_CONF = `
user  nginx;
worker_processes  auto;

error_log  /var/log/nginx/error.log notice;
pid        /run/nginx.pid;


events {
    worker_connections  1024;
}


http {
    include       /etc/nginx/mime.types;
    default_type  application/octet-stream;

    access_log  /var/log/nginx/access.log;

    sendfile        on;
    keepalive_timeout  65;

    include /etc/nginx/conf.d/*.conf;
}
`;

export const DEFAULT_CONF = `server {
    listen       80;
    listen  [::]:80;
    server_name  localhost;

    location / {
        root   /usr/share/nginx/html;
        index  index.html index.htm;
    }

    error_page   500 502 503 504  /50x.html;
    location = /50x.html {
        root   /usr/share/nginx/html;
    }
}
`;

export const MIME_TYPES = `
types {
    text/html                                        html htm shtml;
    text/css                                         css;
    application/javascript                           js;
    application/json                                 json;
    text/plain                                       txt;
}
`;
